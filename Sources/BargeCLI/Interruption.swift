import Dispatch
import Synchronization

/// Turns Ctrl-C into a request to come to a tidy end.
///
/// The first SIGINT, SIGTERM or SIGHUP asks; the second ends the process at once, with 130.
/// The handlers run on a queue of their own, so that they work even if every task is stuck.
final class Interruption: Sendable {
    private let request = InterruptionRequest()
    /// Kept alive and never touched again, which is why it may be shared.
    nonisolated(unsafe) private let source: (any DispatchSourceRead)?

    /// Takes the signals over, except those that whoever started us wants ignored (`nohup`).
    /// Where the system has no pipe left, signals keep their default action.
    init() {
        guard let pipe = try? System.endingSignals() else {
            source = nil
            return
        }
        let source = DispatchSource.makeReadSource(
            fileDescriptor: pipe, queue: DispatchQueue(label: "interruption"))
        source.setEventHandler { [request] in
            for _ in 0..<System.drain(pipe) { request.handleSignal() }
        }
        source.activate()
        self.source = source
    }

    /// Whether somebody has asked for the end.
    var isRequested: Bool { request.isMade }

    /// What to do at the first signal; done at once if it has come already.
    func onRequest(_ action: @escaping @Sendable () -> Void) { request.onMade(action) }
}

/// Whether the end was asked for, and what that sets off.
private final class InterruptionRequest: Sendable {
    private let state = Mutex(State())

    private struct State {
        var isMade = false
        var action: (@Sendable () -> Void)?
    }

    var isMade: Bool { state.withLock { $0.isMade } }

    func onMade(_ action: @escaping @Sendable () -> Void) {
        let isLate = state.withLock { state in
            state.action = action
            return state.isMade
        }
        if isLate { action() }
    }

    func handleSignal() {
        let (isFirst, action) = state.withLock { state in
            defer { state.isMade = true }
            return (!state.isMade, state.action)
        }
        guard isFirst else { System.exitAtOnce(.interrupted) }
        action?()
    }
}

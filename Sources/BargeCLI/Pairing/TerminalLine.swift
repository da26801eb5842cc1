import Dispatch
import Synchronization

/// One line that somebody types. Nothing blocks while they think: the system says when there is
/// something to read, on a queue of its own, and a cancellation ends the wait.
final class TerminalLine: Sendable {
    static let standardInput: Int32 = 0

    private let descriptor: Int32
    private let state = Mutex(State())

    private struct State {
        var typed: [UInt8] = []
        var continuation: CheckedContinuation<String?, Never>?
        // Only canceled, which may be done from anywhere.
        nonisolated(unsafe) var source: (any DispatchSourceRead)?
        var isOver = false
    }

    private init(_ descriptor: Int32) { self.descriptor = descriptor }

    /// The line without its end; nil at the end of the input, and where the task is canceled.
    static func read(from descriptor: Int32 = standardInput) async -> String? {
        let line = TerminalLine(descriptor)
        return await withTaskCancellationHandler {
            await withCheckedContinuation { line.begin($0) }
        } onCancel: {
            line.end(nil)
        }
    }

    private func begin(_ continuation: CheckedContinuation<String?, Never>) {
        let source = DispatchSource.makeReadSource(
            fileDescriptor: descriptor, queue: DispatchQueue(label: "terminal"))
        source.setEventHandler { [self] in readable() }
        // The cancellation may have come first.
        let isOver = state.withLock { state in
            guard !state.isOver else { return true }
            state.continuation = continuation
            state.source = source
            return false
        }
        source.activate()
        if isOver {
            source.cancel()
            continuation.resume(returning: nil)
        }
    }

    /// A terminal hands over a whole line; one byte at a time is read, so that what follows the
    /// line stays for whoever reads next.
    private func readable() {
        guard let byte = System.readByte(descriptor) else { return end(nil) }
        guard byte != UInt8(ascii: "\n") else {
            return end(state.withLock { String(decoding: $0.typed, as: UTF8.self) })
        }
        state.withLock { state in
            if state.typed.count < Self.longestBytes { state.typed.append(byte) }
        }
    }

    private func end(_ line: String?) {
        let (continuation, source) = state.withLock { state in
            defer {
                state.isOver = true
                state.continuation = nil
                state.source = nil
            }
            return (state.continuation, state.source)
        }
        source?.cancel()
        continuation?.resume(returning: line)
    }

    /// The rest of a longer line is dropped: no answer is so long.
    private static let longestBytes = 256
}

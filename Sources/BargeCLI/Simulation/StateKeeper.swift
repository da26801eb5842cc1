import Synchronization

/// Writes the state of a device to its file when it has changed.
///
/// What fails is kept for the end of the command: a transfer does not stop for it.
final class StateKeeper: Sendable {
    private let path: String
    private let kept: Mutex<Kept>

    private struct Kept {
        var state: DeviceState?
        var failure: SystemFailure?
    }

    /// - Parameter state: what the file says; nil where there is none.
    init(path: String, state: DeviceState?) {
        self.path = path
        kept = Mutex(Kept(state: state))
    }

    func keep(_ state: DeviceState) {
        kept.withLock { kept in
            guard kept.state != state || kept.failure != nil else { return }
            kept.state = state
            do throws(SystemFailure) {
                try System.replace(path, with: state.text)
                kept.failure = nil
            } catch {
                kept.failure = error
            }
        }
    }

    /// - Throws: why the last state could not be written.
    func check() throws(Failure) {
        guard let failure = kept.withLock({ $0.failure }) else { return }
        throw SimulationFailure.file(.replace, path: path, errorNumber: failure.errorNumber)
    }
}

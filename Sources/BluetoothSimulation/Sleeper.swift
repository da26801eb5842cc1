import Synchronization

/// One task that can be put to sleep and woken. A wake-up that comes first is kept, so that none
/// is lost between the decision to sleep and the sleep.
///
/// It has a lock of its own: a task may be canceled by whoever holds the radio's lock, an
/// application on a device for one.
final class Sleeper: Sendable {
    private enum State {
        case awake
        /// Woken before it slept.
        case woken
        case asleep(CheckedContinuation<Void, Never>)
    }

    private let state = Mutex(State.awake)

    /// Returns when it is woken, or at once where it was since it last slept.
    func sleep() async {
        await withCheckedContinuation { continuation in
            let isWoken = state.withLock { state in
                if case .woken = state {
                    state = .awake
                    return true
                }
                state = .asleep(continuation)
                return false
            }
            if isWoken { continuation.resume() }
        }
    }

    func wake() {
        let continuation = state.withLock { state in
            guard case .asleep(let continuation) = state else {
                state = .woken
                return CheckedContinuation<Void, Never>?.none
            }
            state = .awake
            return continuation
        }
        continuation?.resume()
    }
}

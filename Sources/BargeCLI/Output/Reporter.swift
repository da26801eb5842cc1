import Synchronization

/// Shows the events of one transfer in the way that the command line and the terminal ask for.
final class Reporter: Sendable {
    private let console: Console
    private let device: String
    private let state: Mutex<State>

    private struct State {
        var plain: PlainLines
        var lastDrawn: ContinuousClock.Instant?
    }

    /// - Parameter device: the device as the user named it.
    init(console: Console, device: String) {
        self.console = console
        self.device = device
        state = Mutex(State(plain: PlainLines(device: device)))
    }

    /// Shows an event. Failures are not shown here: they end the command, which reports them.
    func report(_ event: TransferEvent) {
        if case .failed = event { return }
        if console.settings.json {
            console.json(event.json(device: device))
        } else if case .progress(let progress) = event, console.settings.movesProgress {
            draw(progress)
        } else if let line = state.withLock({ $0.plain.line(for: event) }) {
            console.news(line)
        }
    }

    private func draw(_ progress: TransferProgress) {
        let now = ContinuousClock.now
        let isDue = state.withLock { state in
            if let last = state.lastDrawn, now - last < Self.shortestPause { return false }
            state.lastDrawn = now
            return true
        }
        guard isDue, !console.settings.isQuiet else { return }
        console.move { columns in
            ProgressLine.text(progress, columns: columns, style: console.settings.errorStyle)
        }
    }

    /// Faster than this, nobody reads it.
    private static let shortestPause = Duration.milliseconds(100)
}

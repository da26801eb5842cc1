import Synchronization

/// Shows the events of one transfer in the way that the command line and the terminal ask for.
final class Reporter: Sendable {
    private let console: Console
    private let device: String
    private let state: Mutex<State>

    private struct State {
        var plain: PlainLines
        var lastShown: ContinuousClock.Instant?
    }

    /// - Parameter device: the device as the user named it.
    init(console: Console, device: String) {
        self.console = console
        self.device = device
        state = Mutex(State(plain: PlainLines(device: device)))
    }

    /// Shows an event. Failures are not shown here: they end the command, which reports them.
    ///
    /// Progress comes at most ten times a second, and at the end in any case.
    func report(_ event: ReportedEvent) {
        let isQuiet = console.settings.isQuiet
        switch event {
        case .failed: return
        case .progress(let progress) where console.settings.movesProgress && !isQuiet:
            if isDue(progress) { draw(progress) }
        case .progress(let progress) where console.settings.json:
            if isDue(progress) { console.json(event.json(device: device)) }
        case .scanning, .connected, .route, .started, .progress, .durable, .verifying,
            .rebooting, .finished:
            show(event)
        }
    }

    private func show(_ event: ReportedEvent) {
        if console.settings.json {
            console.json(event.json(device: device))
        } else if let line = state.withLock({ $0.plain.line(for: event) }) {
            console.news(line)
        }
    }

    private func draw(_ progress: ReportedProgress) {
        console.move { columns in
            ProgressLine.text(progress, columns: columns, style: console.settings.errorStyle)
        }
    }

    private func isDue(_ progress: ReportedProgress) -> Bool {
        let now = ContinuousClock.now
        return state.withLock { state in
            let isSoon = state.lastShown.map { now - $0 < Self.shortestPause } ?? false
            guard !isSoon || progress.fraction == 1 else { return false }
            state.lastShown = now
            return true
        }
    }

    /// Faster than this, nobody reads it.
    private static let shortestPause = Duration.milliseconds(100)
}

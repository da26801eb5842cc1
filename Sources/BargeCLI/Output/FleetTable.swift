import Barge
import Synchronization

/// Shows a run over many devices in the way that the command line and the terminal ask for: a
/// table that moves over lines that stay, lines that stay alone, or JSON events.
final class FleetTable: Sendable {
    private let console: Console
    /// Seconds since the run began.
    private let clock: @Sendable () -> Double
    private let state: Mutex<State>

    private struct State {
        var board: FleetBoard
        /// With `--json`: each device's own, since each has its own rhythm.
        var reporters: [String: Reporter] = [:]
        var lastDrawn: Double?
        /// What came of those that have ended.
        var ended: [String: FleetReport.Device] = [:]
        /// What to do about failures, and how many there were of each sort.
        var advice: [Advice] = []
    }

    private struct Advice {
        let identifier: String
        let text: String
        var count: Int
    }

    /// - Parameters:
    ///   - total: how many devices the run has.
    ///   - clock: seconds since the run began; this computer's clock from now on, if missing.
    init(console: Console, total: Int, clock: (@Sendable () -> Double)? = nil) {
        self.console = console
        self.clock = clock ?? Self.secondsFromNow()
        state = Mutex(State(board: FleetBoard(total: total)))
    }

    private static func secondsFromNow() -> @Sendable () -> Double {
        let begin = ContinuousClock.now
        return { (ContinuousClock.now - begin) / .seconds(1) }
    }

    /// Seconds since the run began.
    var seconds: Double { clock() }

    // MARK: What happens

    /// A device's turn has come.
    func began(_ device: String) {
        let now = clock()
        state.withLock { state in
            state.board.began(device, atSeconds: now)
            if console.settings.json {
                state.reporters[device] = Reporter(console: console, device: device)
            }
        }
        draw()
    }

    /// Something happened to a device under way.
    func report(_ event: ReportedEvent, of device: String) {
        let reporter = state.withLock { state in
            state.board.note(event, of: device)
            return state.reporters[device]
        }
        reporter?.report(event)
        draw(onlyIfDue: true)
    }

    /// A device's link was lost, and is tried again after so many seconds.
    func retries(_ device: String, after error: BargeError, pauseSeconds: Double) {
        state.withLock { $0.board.noteRetry(of: device) }
        let text = "\(error.what): \(error.why); trying again in \(Quantity.time(pauseSeconds))"
        console.detail("\(device): \(text)")
        draw(onlyIfDue: true)
    }

    /// A device is done, and its event `finished` was reported.
    func succeeded(_ device: String, _ result: TransferResult) {
        note(device, .done(result.outcome), bytes: result.bytes, sentBytes: result.sentBytes)
        console.news(Self.line(device, result, style: console.settings.outputStyle))
        draw()
    }

    /// A device has failed.
    func failed(_ device: String, _ failure: Failure) {
        note(device, .failed(failure))
        state.withLock { Self.count(failure, in: &$0.advice) }
        console.reportInOneLine(failure, device: device)
        draw()
    }

    /// A device's turn never came, or it was interrupted.
    func wasNotDone(_ device: String, _ reason: FleetHalt) {
        note(device, .notStarted(reason))
        if console.settings.json {
            console.json(FleetEventSchema.skipped.json(reason, device: device))
        }
    }

    /// All devices have ended: the sums, and what to do about each sort of failure.
    func ended(exitCode: ExitCode, halt: FleetHalt?) {
        let (summary, advice) = state.withLock { ($0.board.summary, $0.advice) }
        let end = FleetEnd(summary: summary, seconds: clock(), exitCode: exitCode)
        console.settle()
        if console.settings.json {
            console.json(FleetEventSchema.fleet.json(end, device: nil))
        }
        console.news(Self.line(end, halt))
        for advice in advice {
            let sort = "\(advice.count) failed with \(advice.identifier)"
            console.errorLine("\(sort); try: \(advice.text.printable)")
        }
    }

    /// What came of the devices that have ended, in the order of `devices`, for the report.
    func results(of devices: [String]) -> [FleetReport.Device] {
        state.withLock { state in devices.compactMap { state.ended[$0] } }
    }

    private func note(
        _ device: String, _ outcome: FleetReport.Outcome, bytes: UInt64? = nil,
        sentBytes: UInt64? = nil
    ) {
        let now = clock()
        state.withLock { state in
            state.reporters[device] = nil
            let row = state.board.ended(device, outcome)
            state.ended[device] = FleetReport.Device(
                device: device, outcome: outcome, serial: row?.serial,
                bytes: bytes ?? row?.progress?.bytes,
                sentBytes: sentBytes ?? row?.progress?.sentBytes,
                seconds: row.map { now - $0.beganSeconds }, attempts: row?.tries ?? 0)
        }
    }

    // MARK: Words

    private static func line(
        _ device: String, _ result: TransferResult, style: TerminalStyle
    ) -> String {
        let what =
            switch result.outcome {
            case .installed, .copied:
                "\(result.outcome.rawValue), \(Quantity.bytes(result.bytes))"
                    + earlier(result) + " in \(Quantity.time(result.shownSeconds))"
                    + (result.runsAhead ? " (simulated)" : "")
            case .alreadyInstalled: "already runs, nothing sent"
            case .unchanged: "already there, nothing sent"
            }
        return style.green("ok") + " \(device.printable) \(what)"
    }

    /// What an earlier run had sent.
    private static func earlier(_ result: TransferResult) -> String {
        result.resumedFrom > 0 ? " (\(Quantity.bytes(result.resumedFrom)) of it earlier)" : ""
    }

    /// `1000 devices: 960 done, 12 done before, 2 failed, 26 not done (too many failures), in
    /// 12 m 05 s`.
    private static func line(_ end: FleetEnd, _ halt: FleetHalt?) -> String {
        let summary = end.summary
        let reason = halt.map { " (\($0.words))" } ?? ""
        let parts = [
            "\(summary.succeeded) done",
            summary.skipped > 0 ? "\(summary.skipped) done before" : nil,
            summary.failed > 0 ? "\(summary.failed) failed" : nil,
            summary.notStarted > 0 ? "\(summary.notStarted) not done\(reason)" : nil,
            "in " + Quantity.time(end.seconds),
        ]
        let noun = summary.total == 1 ? "device" : "devices"
        return "\(summary.total) \(noun): " + parts.compactMap { $0 }.joined(separator: ", ")
    }

    private static func count(_ failure: Failure, in advice: inout [Advice]) {
        if let index = advice.firstIndex(where: { $0.identifier == failure.identifier }) {
            advice[index].count += 1
        } else {
            advice.append(
                Advice(identifier: failure.identifier, text: failure.advice, count: 1))
        }
    }

    // MARK: The table

    /// - Parameter onlyIfDue: progress comes often, and nobody reads it that fast.
    private func draw(onlyIfDue: Bool = false) {
        guard console.settings.movesProgress, !console.settings.isQuiet else { return }
        let now = clock()
        let board: FleetBoard? = state.withLock { state in
            let isSoon = state.lastDrawn.map { now - $0 < Self.shortestPauseSeconds } ?? false
            guard !(onlyIfDue && isSoon) else { return nil }
            state.lastDrawn = now
            return state.board
        }
        guard let board else { return }
        console.moveLines { columns, rows in
            board.lines(
                columns: columns, rows: rows, seconds: now, style: console.settings.errorStyle)
        }
    }

    private static let shortestPauseSeconds = 0.1
}

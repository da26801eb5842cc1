import Synchronization

/// Owner of standard output, standard error and the log.
///
/// Lines come out whole and in order, whichever task writes them. Closed output ends the output,
/// not the work: a transfer whose reader has gone (`| head`) runs to its end, and its exit code
/// is its own. Output that fails otherwise (a full disk) makes the exit code 9.
final class Console: Sendable {
    /// How much is said, and how it looks.
    struct Settings: Sendable {
        var json = false
        var isQuiet = false
        var verbosity = 0
        var outputStyle = TerminalStyle.plain
        var errorStyle = TerminalStyle.plain
        /// Whether progress is a line that moves, on standard error.
        var movesProgress = false
        /// How wide help may be.
        var helpColumns = 80
        /// Whether standard output carries a file, so that lines for people go to standard error.
        var outputIsData = false
    }

    let settings: Settings
    private let output: LineWriter
    private let errors: LineWriter
    private let log: LineWriter?
    private let columnsOfErrors: @Sendable () -> Int?
    private let rowsOfErrors: @Sendable () -> Int?
    private let state = Mutex(State())

    private struct State {
        var output = LineWriter.Outcome.complete
        /// How many lines that will be overwritten stand on standard error. The cursor is behind
        /// the last one.
        var movingLines = 0
        /// Whether somebody types on the terminal: then nothing moves.
        var isTypedOn = false
        var logHasFailed = false
    }

    /// - Parameters:
    ///   - columns: the width of the terminal behind standard error, asked anew for each moving
    ///     line; `nil` where there is none.
    ///   - rows: its height; `nil` where it is not known.
    init(
        settings: Settings, output: LineWriter, errors: LineWriter, log: LineWriter?,
        columns: @escaping @Sendable () -> Int?, rows: @escaping @Sendable () -> Int? = { nil }
    ) {
        self.settings = settings
        self.output = output
        self.errors = errors
        self.log = log
        columnsOfErrors = columns
        rowsOfErrors = rows
    }

    /// How wide help may be.
    var helpColumns: Int { settings.helpColumns }

    // MARK: Lines

    /// A line for people or scripts on standard output; on standard error if the output is data.
    func line(_ text: String) {
        state.withLock { state in
            clearMovingLine(&state)
            if settings.outputIsData {
                _ = errors.write(text + "\n")
            } else {
                writeOutput(text + "\n", &state)
            }
        }
    }

    /// Several lines at once.
    func lines(_ lines: [String]) {
        if !lines.isEmpty { line(lines.joined(separator: "\n")) }
    }

    /// A line that `--quiet` silences and `--json` replaces: news, not the answer itself.
    func news(_ text: String) {
        if !settings.isQuiet, !settings.json { line(text) }
    }

    /// One JSON object on standard output.
    func json(_ value: JSONValue) { line(value.text) }

    /// A line on standard error that even `--quiet` lets through.
    func errorLine(_ text: String) {
        state.withLock { state in
            clearMovingLine(&state)
            _ = errors.write(text + "\n")
        }
    }

    /// News beside an answer: on standard error, so that what reads the answer does not get it.
    func remark(_ text: String) {
        if !settings.isQuiet, !settings.json { errorLine(text) }
    }

    /// True where somebody would see details: with `--verbose` or a log.
    var keepsDetails: Bool { settings.verbosity > 0 || log != nil }

    /// What happens underneath: on standard error with `--verbose`, and in the log.
    ///
    /// - Parameter level: how many `-v` it takes to see it.
    func detail(_ text: @autoclosure () -> String, level: Int = 1) {
        let isShown = settings.verbosity >= level
        guard isShown || log != nil else { return }
        let text = text().printable
        if isShown { errorLine(text) }
        writeLog(text)
    }

    /// A failure: three lines on standard error, and with `--json` the event `failed`.
    func report(_ failure: Failure, device: String?) {
        let failure = failure.naming(device)
        if settings.json { json(ReportedEvent.failed(failure).json(device: device)) }
        errorLine(failure.lines(style: settings.errorStyle).joined(separator: "\n"))
        writeLog("failed (exit code \(failure.exitCode.rawValue)): \(failure.what): \(failure.why)")
    }

    /// A failure of one device among many: one line on standard error, since hundreds may follow,
    /// and with `--json` the event `failed`.
    func reportInOneLine(_ failure: Failure, device: String) {
        let failure = failure.naming(device)
        if settings.json { json(ReportedEvent.failed(failure).json(device: device)) }
        let text = "\(failure.what): \(failure.why)"
        errorLine(
            settings.errorStyle.red("FAILED") + " \(device.printable): \(text.printable)")
        writeLog("\(device) failed (exit code \(failure.exitCode.rawValue)): \(text)".printable)
    }

    /// A failure that another one follows: nothing for `--json`, whose event `failed` is the last.
    func report(_ failure: Failure) {
        errorLine(failure.lines(style: settings.errorStyle).joined(separator: "\n"))
    }

    // MARK: Moving lines

    /// Replaces the line that moves on the terminal; does nothing where there is no terminal.
    ///
    /// - Parameter text: from the columns that are free to the line.
    func move(_ text: (_ columns: Int) -> String) {
        moveLines { columns, _ in [text(columns)] }
    }

    /// Replaces the lines that move on the terminal; does nothing where there is no terminal.
    ///
    /// - Parameter lines: from the columns and the rows that are free to the lines, none of which
    ///   may be wider and which may not be more. None at all takes those away that are there.
    func moveLines(_ lines: (_ columns: Int, _ rows: Int) -> [String]) {
        guard let columns = columnsOfErrors() else { return }
        // The last column stays empty: some terminals wrap as soon as it is written. Two rows are
        // left to what stays, so that somebody sees that it comes.
        let rows = max(1, (rowsOfErrors() ?? Self.usualRows) - 2)
        let lines = lines(max(0, columns - 1), rows)
        state.withLock { state in
            guard !lines.isEmpty else { return clearMovingLine(&state) }
            guard !state.isTypedOn else { return }
            let start = Self.backToFirst(of: state.movingLines)
            let isShorter = lines.count < state.movingLines
            state.movingLines = lines.count
            let text = lines.joined(separator: Self.clearToEndOfLine + "\n")
            // One write: a terminal that draws between two would flicker.
            _ = errors.write(
                start + text + (isShorter ? Self.clearToEndOfScreen : Self.clearToEndOfLine))
        }
    }

    /// Has lines stand still while somebody types on the terminal, or move again.
    func setTypedOn(_ isTypedOn: Bool) {
        state.withLock { state in
            if isTypedOn { clearMovingLine(&state) }
            state.isTypedOn = isTypedOn
        }
    }

    /// Takes the moving lines away.
    func settle() { state.withLock { clearMovingLine(&$0) } }

    private func clearMovingLine(_ state: inout State) {
        guard state.movingLines > 0 else { return }
        let clear = state.movingLines > 1 ? Self.clearToEndOfScreen : Self.clearToEndOfLine
        _ = errors.write(Self.backToFirst(of: state.movingLines) + clear)
        state.movingLines = 0
    }

    /// From behind the last of so many lines to the start of the first: CR, and CUU of ECMA-48.
    private static func backToFirst(of lines: Int) -> String {
        lines > 1 ? "\r\u{1B}[\(lines - 1)A" : "\r"
    }

    /// ECMA-48, EL.
    private static let clearToEndOfLine = "\u{1B}[K"
    /// ECMA-48, ED.
    private static let clearToEndOfScreen = "\u{1B}[J"
    /// What terminals have had since the VT100, where one does not tell its own.
    private static let usualRows = 24

    // MARK: Data and the end

    /// Whether nobody reads standard output any more. A listing may stop early then.
    var isOutputClosed: Bool { state.withLock { $0.output != .complete } }

    /// Bytes of a file on standard output.
    ///
    /// - Throws: `ExitCode.outputClosed` if the reader has gone, else `ExitCode.localInputOutput`.
    func data(_ bytes: UnsafeRawBufferPointer) throws(Failure) {
        let outcome = state.withLock { state in
            clearMovingLine(&state)
            if state.output == .complete { state.output = output.write(bytes) }
            return state.output
        }
        if let failure = Self.failure(for: outcome) { throw failure }
    }

    /// The exit code after everything was written: lost output turns success into failure.
    func finalCode(_ code: ExitCode) -> ExitCode {
        let outcome = state.withLock { $0.output }
        guard code == .done, case .failed = outcome, let failure = Self.failure(for: outcome)
        else { return code }
        errorLine(failure.lines(style: settings.errorStyle).joined(separator: "\n"))
        return failure.exitCode
    }

    private func writeOutput(_ text: String, _ state: inout State) {
        if state.output == .complete { state.output = output.write(text) }
    }

    private func writeLog(_ text: String) {
        guard let log else { return }
        let isFirstFailure = state.withLock { state in
            guard !state.logHasFailed else { return false }
            state.logHasFailed = log.write("\(System.timestamp()) \(text)\n") != .complete
            return state.logHasFailed
        }
        if isFirstFailure { errorLine("warning: the log cannot be written any further") }
    }

    private static func failure(for outcome: LineWriter.Outcome) -> Failure? {
        switch outcome {
        case .complete: nil
        case .closed:
            Failure(
                .outputClosed, "output-closed", what: "standard output was closed",
                why: "its reader has ended", advice: "read to the end, or give a file")
        case .failed(let errorNumber):
            Failure(
                .localInputOutput, "output-failed", what: "standard output cannot be written",
                why: System.message(for: errorNumber),
                advice: "make room where it goes to, or write to another place")
        }
    }
}

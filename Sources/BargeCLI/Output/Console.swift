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
    private let state = Mutex(State())

    private struct State {
        var output = LineWriter.Outcome.complete
        /// Whether a line that will be overwritten stands on standard error.
        var hasMovingLine = false
        var logHasFailed = false
    }

    /// - Parameter columns: the width of the terminal behind standard error, asked anew for each
    ///   moving line; `nil` where there is none.
    init(
        settings: Settings, output: LineWriter, errors: LineWriter, log: LineWriter?,
        columns: @escaping @Sendable () -> Int?
    ) {
        self.settings = settings
        self.output = output
        self.errors = errors
        self.log = log
        columnsOfErrors = columns
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
        if settings.json { json(ReportedEvent.failed(failure).json(device: device)) }
        errorLine(failure.lines(style: settings.errorStyle).joined(separator: "\n"))
        writeLog("failed (exit code \(failure.exitCode.rawValue)): \(failure.what): \(failure.why)")
    }

    /// A failure that another one follows: nothing for `--json`, whose event `failed` is the last.
    func report(_ failure: Failure) {
        errorLine(failure.lines(style: settings.errorStyle).joined(separator: "\n"))
    }

    // MARK: The moving line

    /// Replaces the line that moves on the terminal; does nothing where there is no terminal.
    ///
    /// - Parameter text: from the columns that are free to the line.
    func move(_ text: (_ columns: Int) -> String) {
        guard let columns = columnsOfErrors() else { return }
        // The last column stays empty: some terminals wrap as soon as it is written.
        let text = text(max(0, columns - 1))
        state.withLock { state in
            state.hasMovingLine = true
            _ = errors.write("\r" + text + Self.clearToEndOfLine)
        }
    }

    /// Takes the moving line away.
    func settle() { state.withLock { clearMovingLine(&$0) } }

    private func clearMovingLine(_ state: inout State) {
        guard state.hasMovingLine else { return }
        state.hasMovingLine = false
        _ = errors.write("\r" + Self.clearToEndOfLine)
    }

    /// ECMA-48, EL.
    private static let clearToEndOfLine = "\u{1B}[K"

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

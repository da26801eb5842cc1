extension Console {
    private static let standardOutput: Int32 = 1
    private static let standardError: Int32 = 2

    /// The console that a command line asks for, over the descriptors of this process.
    ///
    /// - Throws: a `Failure` about the file if the log cannot be opened.
    static func standard(for arguments: ParsedArguments) throws(Failure) -> Console {
        var settings = standardSettings(noColor: arguments[GlobalOptions.noColor])
        settings.json = arguments[GlobalOptions.json]
        settings.isQuiet = arguments[GlobalOptions.quiet]
        settings.verbosity = arguments[GlobalOptions.verbose]
        settings.outputIsData =
            arguments.path == ["pull"] && PullCommand.way(arguments).isToStandardOutput
        // Lines that stay and the line that moves share a terminal, or there is none that moves:
        // otherwise they would overwrite each other behind a `| tee`.
        settings.movesProgress =
            !settings.json && System.isTerminal(standardError)
            && (System.isTerminal(standardOutput) || settings.outputIsData)
            && System.environment("TERM") != "dumb"
        return console(settings, log: try openLog(arguments[GlobalOptions.log]))
    }

    /// The console for what happens before a command line is understood.
    static func standard(json: Bool) -> Console {
        var settings = standardSettings(noColor: false)
        settings.json = json
        return console(settings, log: nil)
    }

    private static func console(_ settings: Settings, log: LineWriter?) -> Console {
        Console(
            settings: settings, output: LineWriter(descriptor: standardOutput),
            errors: LineWriter(descriptor: standardError), log: log, columns: columns,
            rows: { System.terminalRows(standardError) })
    }

    private static func standardSettings(noColor: Bool) -> Settings {
        var settings = Settings()
        settings.outputStyle = style(of: standardOutput, noColor: noColor)
        settings.errorStyle = style(of: standardError, noColor: noColor)
        if System.isTerminal(standardOutput), let width = System.terminalColumns(standardOutput) {
            settings.helpColumns = min(max(width, 40), 80)
        }
        return settings
    }

    /// Color on terminals alone, and not where https://no-color.org asks for none.
    private static func style(of descriptor: Int32, noColor: Bool) -> TerminalStyle {
        let isUnwanted = !(System.environment("NO_COLOR") ?? "").isEmpty
        let usesColor =
            System.isTerminal(descriptor) && !isUnwanted && !noColor
            && System.environment("TERM") != "dumb"
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy
            .compactMap(System.environment).first { !$0.isEmpty }
        let isUnicode = locale.map { $0.lowercased().contains("utf") } ?? false
        return TerminalStyle(usesColor: usesColor, usesUnicode: isUnicode)
    }

    /// Asked anew each time: a window changes its size.
    @Sendable private static func columns() -> Int? {
        guard System.isTerminal(standardError) else { return nil }
        if let columns = System.terminalColumns(standardError) { return columns }
        return System.environment("COLUMNS").flatMap { wholeNumber($0) } ?? 80
    }

    private static func openLog(_ path: String?) throws(Failure) -> LineWriter? {
        guard let path else { return nil }
        do throws(SystemFailure) {
            return LineWriter(descriptor: try System.openForAppending(path))
        } catch {
            throw Failure.file(.write, path: path, errorNumber: error.errorNumber)
        }
    }
}

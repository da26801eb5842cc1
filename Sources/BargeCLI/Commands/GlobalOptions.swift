/// Options that every command takes, before or behind its name.
enum GlobalOptions {
    static let json = Option(
        flag: "json", "Write one JSON object a line to standard output ('barge help json')")
    static let verbose = Option(
        countedFlag: "verbose", short: "v",
        "Say on standard error what happens underneath; -vv: every frame as well")
    static let quiet = Option(
        flag: "quiet", short: "q",
        "Leave out news and progress; answers, warnings and errors stay")
    static let log = Option(
        "log", ValueKind.path(),
        "Append to FILE, with times, what happens underneath, every frame of it")
    static let stateDirectory = Option(
        "state-dir", ValueKind.directory,
        "Keep simulated devices and unfinished transfers in DIR"
            + " (default $XDG_STATE_HOME/barge, else ~/.local/state/barge)")
    static let noColor = Option(
        flag: "no-color", "Never color the output; the variable NO_COLOR does the same")
    /// Answered by the parser before anything else; declared for help and completions.
    static let version = Option(flag: "version", "Print the version and stop")
    /// Answered by the parser before anything else; declared for help and completions.
    static let help = Option(flag: "help", short: "h", "Print the help of a command and stop")

    static let group = OptionGroup(
        title: "Options of every command",
        options: [
            json.declaration, verbose.declaration, quiet.declaration, log.declaration,
            stateDirectory.declaration, noColor.declaration, version.declaration,
            help.declaration,
        ])

    /// Quiet and verbose at once is a slip of whoever wrote the line.
    @Sendable static func rule(_ arguments: ParsedArguments) -> Failure? {
        guard arguments[quiet], arguments[verbose] > 0 else { return nil }
        return UsageFailure.contradiction(
            "--quiet", "--verbose", why: "one asks for silence, the other for details")
    }
}

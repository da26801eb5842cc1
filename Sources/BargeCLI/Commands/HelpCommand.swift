/// `barge help`: a command or a topic.
enum HelpCommand {
    static let words = Argument(
        repeated: "TOPIC", ValueKind.helpTopic, isRequired: false,
        "A topic (\(topicNames.joined(separator: ", "))) or a command")

    static let declaration = CommandDeclaration(
        name: "help",
        abstract: "Explain a command or a topic",
        arguments: [words.declaration],
        examples: [
            CommandExample(
                purpose: "See what the exit codes mean", line: "barge help exit-codes"),
            CommandExample(
                purpose: "See how to make a simulated device", line: "barge help sim create"),
        ])

    static func run(
        _ arguments: ParsedArguments, _ console: Console
    ) throws(Failure) -> ExitCode {
        let words = arguments[words]
        if words.count == 1, let topic = HelpTopic(rawValue: words[0]) {
            console.lines([topic.title, ""] + topic.lines(columns: console.helpColumns))
            return .done
        }
        let help = HelpText(root: BargeCommand.declaration, columns: console.helpColumns)
        guard let lines = help.lines(for: words) else {
            throw unknownTopic(words)
        }
        console.lines(lines)
        return .done
    }

    private static var topicNames: [String] { HelpTopic.allCases.map(\.rawValue) }

    private static func unknownTopic(_ words: [String]) -> Failure {
        let all = BargeCommand.declaration.subcommands.map(\.name)
        let near = words.first.flatMap { nearest(to: $0, among: topicNames + all) }
        return UsageFailure.usage(
            "unknown-topic", what: "no help on '\(words.joined(separator: " "))'",
            why: "it is neither a command nor one of the topics "
                + topicNames.joined(separator: ", "),
            advice: near.map { "did you mean 'barge help \($0)'?" } ?? "see 'barge --help'")
    }
}

extension ValueKind where Value == String {
    /// A word behind `help`; what it may be depends on the words before it.
    fileprivate static var helpTopic: Self {
        ValueKind(
            placeholder: "TOPIC", expectation: "a topic or a command",
            completion: .words(HelpTopic.allCases.map(\.rawValue)), parse: { $0 })
    }
}

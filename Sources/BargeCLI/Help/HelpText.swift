/// The help of a command, laid out for a width.
struct HelpText {
    let root: CommandDeclaration
    let columns: Int

    /// - Parameter path: the words that lead to a command; `[]` is the program itself.
    /// - Returns: the lines, or `nil` if there is no such command.
    func lines(for path: [String]) -> [String]? {
        guard let command = root.descendant(path) else { return nil }
        let caller = ([root.name] + path).joined(separator: " ")
        var lines = TextLayout.wrap(command.abstract + ".", columns: columns)
        lines += ["", "Usage: " + command.synopsis(caller: caller)]
        if let other = command.inOtherForm { lines += ["   or: " + other.synopsis(caller: caller)] }
        if !command.discussion.isEmpty {
            lines += [""] + TextLayout.paragraphs(command.discussion, columns: columns)
        }
        lines += section("Commands", command.subcommands.map { ($0.name, $0.abstract) })
        lines += section("Arguments", command.allArguments.map { ($0.name, $0.help) })
        for group in command.optionGroups + (path.isEmpty ? [] : root.optionGroups) {
            lines += section(group.title, group.options.map { ($0.term, $0.fullHelp) })
        }
        return lines + examples(of: command) + more(for: command, caller: caller)
    }

    private func section(_ title: String, _ entries: [(term: String, text: String)]) -> [String] {
        guard !entries.isEmpty else { return [] }
        let longest = entries.map(\.term.count).filter { $0 <= 26 }.max() ?? 26
        return ["", title + ":"]
            + entries.flatMap {
                TextLayout.definition($0.term, $0.text, termColumns: longest, columns: columns)
            }
    }

    private func examples(of command: CommandDeclaration) -> [String] {
        guard !command.examples.isEmpty else { return [] }
        return ["", command.examples.count == 1 ? "Example:" : "Examples:"]
            + command.examples.flatMap {
                TextLayout.wrap($0.purpose + ":", columns: columns - 2).map { "  " + $0 }
                    + ["    " + $0.line]
            }
    }

    private func more(for command: CommandDeclaration, caller: String) -> [String] {
        guard !command.subcommands.isEmpty else { return [] }
        var lines = ["", "'\(caller) COMMAND --help' explains a command and gives examples."]
        if caller == root.name {
            let topics = HelpTopic.allCases.map(\.rawValue).joined(separator: ", ")
            lines += TextLayout.wrap(
                "'\(caller) help TOPIC' explains one of: \(topics).", columns: columns)
        }
        return lines
    }
}

extension CommandDeclaration {
    /// The command that the words lead to.
    func descendant(_ path: [String]) -> CommandDeclaration? {
        path.reduce(self) { command, word in command?.subcommand(named: word) }
    }

    /// How the command is written: `barge flash [OPTION...] IMAGE DEVICE`.
    ///
    /// The options of every command are not hinted at: they matter least.
    func synopsis(caller: String) -> String {
        let rest = subcommands.isEmpty ? arguments.map(\.synopsis) : ["COMMAND"]
        let required = options.filter(\.isRequired).map(\.term)
        let hasOptional = options.count > required.count
        return ([caller] + (hasOptional ? ["[OPTION...]"] : []) + required + rest).joined(
            separator: " ")
    }
}

extension OptionDeclaration {
    /// `-v, --verbose` or `--psm N`.
    var term: String {
        let names = spellings.joined(separator: ", ")
        return value.map { names + " " + $0.placeholder } ?? names
    }

    /// The help, and what stands where the option is missing.
    var fullHelp: String { defaultText.map { "\(help) (default \($0))" } ?? help }
}

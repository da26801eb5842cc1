/// From the words of a command line to what they ask for.
///
/// Options stand before or behind arguments, as `--name value` or `--name=value`; the last one
/// counts. `--` ends them. `-` alone is a value. Commands are found before anything else is
/// checked, so a question for help is answered even if the rest is wrong.
struct ArgumentParser: Sendable {
    /// What a command line asks for.
    enum Request: Sendable {
        case run(ParsedArguments)
        case help(path: [String])
        case version
    }

    let root: CommandDeclaration

    /// - Parameter words: the command line without the program's name.
    /// - Throws: a `Failure` with `ExitCode.usage`.
    func parse(_ words: [String]) throws(Failure) -> Request {
        let options = words.prefix { $0 != "--" }
        if options.contains("--help") || options.contains("-h") {
            return .help(path: commandPath(of: Array(options)))
        }
        if options.contains("--version") { return .version }
        var scan = ArgumentScan(root: root)
        var rest = words[...]
        while let word = rest.popFirst() {
            try scan.take(word, rest: &rest)
        }
        return .run(try scan.finish())
    }

    /// The command that the words name, options and their values skipped as far as possible.
    private func commandPath(of words: [String]) -> [String] {
        var path: [String] = []
        var command = root
        for word in words {
            guard let next = command.subcommand(named: word) else { continue }
            path.append(word)
            command = next
        }
        return path
    }
}

/// A command line, half read.
private struct ArgumentScan {
    private let root: CommandDeclaration
    private var command: CommandDeclaration
    private var path: [String] = []
    private var optionTexts: [String: [String]] = [:]
    private var positionals: [String] = []
    private var optionsHaveEnded = false

    init(root: CommandDeclaration) {
        self.root = root
        command = root
    }

    /// How the user would call the command that was found so far: `barge sim create`.
    private var caller: String { ([root.name] + path).joined(separator: " ") }

    private var usageLine: String { command.synopsis(caller: caller) }

    private var knownOptions: [OptionDeclaration] {
        path.isEmpty ? root.options : command.options + root.options
    }

    /// Reads one word, and its value from `rest` if it is an option that takes one.
    mutating func take(_ word: String, rest: inout ArraySlice<String>) throws(Failure) {
        if optionsHaveEnded || word == "-" || !word.hasPrefix("-") {
            try takePositional(word)
        } else if word == "--" {
            optionsHaveEnded = true
        } else if word.hasPrefix("--") {
            try takeLong(word, rest: &rest)
        } else {
            try takeShort(word)
        }
    }

    private mutating func takePositional(_ word: String) throws(Failure) {
        if command.subcommands.isEmpty {
            positionals.append(word)
        } else if let next = command.subcommand(named: word) {
            command = next
            path.append(word)
        } else {
            throw UsageFailure.unknownCommand(
                word, caller: caller, known: command.subcommands.map(\.name))
        }
    }

    private mutating func takeLong(_ word: String, rest: inout ArraySlice<String>) throws(Failure) {
        let parts = word.dropFirst(2).split(
            separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(parts[0])
        let attached = parts.count == 2 ? String(parts[1]) : nil
        guard let option = knownOptions.first(where: { $0.name == name }) else {
            throw unknown("--" + name)
        }
        guard let kind = option.value else {
            if let attached { throw UsageFailure.unexpectedValue(option, attached) }
            optionTexts[name, default: []].append("")
            return
        }
        let text = if let attached { attached } else { try value(of: option, rest: &rest) }
        guard kind.accepts(text) else {
            throw UsageFailure.badValue(text, name: "--" + name, kind: kind, caller: caller)
        }
        optionTexts[name, default: []].append(text)
    }

    /// The word behind an option; another option is none.
    private func value(
        of option: OptionDeclaration, rest: inout ArraySlice<String>
    ) throws(Failure) -> String {
        guard let next = rest.first, next == "-" || !next.hasPrefix("-") || isNumber(next) else {
            throw UsageFailure.missingValue(option, next: rest.first, caller: caller)
        }
        return rest.removeFirst()
    }

    /// Negative numbers are refused by their kind, with its range, not taken for options.
    private func isNumber(_ word: String) -> Bool { decimalNumber(word.dropFirst()) != nil }

    /// One or several flags behind one dash: `-vv`.
    private mutating func takeShort(_ word: String) throws(Failure) {
        for letter in word.dropFirst() {
            guard let flag = knownOptions.first(where: { $0.short == letter }) else {
                throw unknown("-\(letter)", in: word)
            }
            optionTexts[flag.name, default: []].append("")
        }
    }

    /// - Parameter word: all of the word that the option stands in, if it is longer.
    private func unknown(_ option: String, in word: String? = nil) -> Failure {
        let owners = command.leaves.filter { leaf in
            leaf.command.options.contains { $0.spellings.contains(option) }
        }
        return UsageFailure.unknownOption(
            option, caller: caller, known: knownOptions.map { "--" + $0.name },
            owners: owners.map { ([caller] + $0.path).joined(separator: " ") },
            name: word == option ? nil : word)
    }

    /// Checks what only the whole line can tell.
    mutating func finish() throws(Failure) -> ParsedArguments {
        guard command.subcommands.isEmpty else {
            throw UsageFailure.missingCommand(
                caller: caller, known: command.subcommands.map(\.name))
        }
        command = command.form(given: optionTexts.keys)
        let argumentTexts = try assignPositionals()
        if let missing = command.options.first(where: {
            $0.isRequired && optionTexts[$0.name] == nil
        }) {
            throw UsageFailure.missingOption(missing, usage: usageLine)
        }
        let parsed = ParsedArguments(
            path: path, command: command, globalOptions: root.options, optionTexts: optionTexts,
            argumentTexts: argumentTexts)
        if let failure = root.rule?(parsed) ?? command.rule?(parsed) { throw failure }
        return parsed
    }

    private func assignPositionals() throws(Failure) -> [String: [String]] {
        var texts: [String: [String]] = [:]
        var rest = positionals[...]
        for argument in command.arguments {
            let taken = argument.isRepeated ? rest : rest.prefix(1)
            if taken.isEmpty, argument.isRequired {
                throw UsageFailure.missingArgument(argument, usage: usageLine)
            }
            if let bad = taken.first(where: { !argument.value.accepts($0) }) {
                throw UsageFailure.badValue(
                    bad, name: argument.name, kind: argument.value, caller: caller)
            }
            texts[argument.name] = Array(taken)
            rest = rest.dropFirst(taken.count)
        }
        if let extra = rest.first {
            throw UsageFailure.tooManyArguments(extra, usage: usageLine)
        }
        return texts
    }
}

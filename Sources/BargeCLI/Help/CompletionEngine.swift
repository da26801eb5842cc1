/// What a shell may offer behind the words that stand on its line so far.
///
/// The scripts for bash, zsh and fish only carry words here and answers back, so the three
/// shells know the same and no list of options exists twice.
struct CompletionEngine {
    /// The word that asks for an answer instead of running a command.
    static let hiddenCommand = "__complete"
    /// The answer that leaves the shell to complete a path by itself.
    static let files = ":files"

    let root: CommandDeclaration
    /// The devices that are known, for the value of `--state-dir` if one is given: simulated ones
    /// as `sim:NAME`, and aliases.
    let devices: (_ stateDirectory: String?) -> [String]

    /// - Parameter words: the line without the program's name; the last word is to be completed.
    /// - Returns: lines with a candidate, and behind a tab what it is; or `files` alone.
    func answer(_ words: [String]) -> [String] {
        var position = Position(root: root)
        for word in words.dropLast() { position.pass(word) }
        return position.candidates(for: words.last ?? "", devices: devices)
    }
}

/// A place on the command line, as far as the words before it tell.
private struct Position {
    private let root: CommandDeclaration
    private var command: CommandDeclaration
    private var pending: OptionDeclaration?
    private var positionals: [String] = []
    private var given: Set<String> = []
    private var optionsHaveEnded = false
    private var stateDirectory: String?

    init(root: CommandDeclaration) {
        self.root = root
        command = root
    }

    private var options: [OptionDeclaration] {
        command.name == root.name ? root.options : command.options + root.options
    }

    mutating func pass(_ word: String) {
        if let option = pending {
            if option.name == GlobalOptions.stateDirectory.declaration.name {
                stateDirectory = word
            }
            pending = nil
        } else if word == "--" {
            optionsHaveEnded = true
        } else if word.hasPrefix("-"), word != "-", !optionsHaveEnded {
            pending = options.first { "--" + $0.name == word && $0.value != nil }
            given.insert(String(word.drop { $0 == "-" }.prefix { $0 != "=" }))
        } else if let next = command.subcommand(named: word) {
            command = next
        } else {
            positionals.append(word)
        }
    }

    func candidates(for word: String, devices: (String?) -> [String]) -> [String] {
        if let kind = pending?.value { return values(of: kind, word, devices) }
        if word.hasPrefix("-"), !optionsHaveEnded {
            return optionsOrValue(word, devices)
        }
        if command.name == HelpCommand.declaration.name { return topics(word) }
        if !command.subcommands.isEmpty {
            return Self.named(word, command.subcommands.map { ($0.name, $0.abstract) })
        }
        let arguments = command.form(given: given).arguments
        let last = arguments.last.flatMap { $0.isRepeated ? $0 : nil }
        let index = positionals.count
        let argument = index < arguments.count ? arguments[index] : last
        return argument.map { values(of: $0.value, word, devices) } ?? []
    }

    private func optionsOrValue(_ word: String, _ devices: (String?) -> [String]) -> [String] {
        guard let equals = word.firstIndex(of: "=") else {
            return Self.named(word, options.map { ("--" + $0.name, $0.help) })
        }
        let name = word[..<equals]
        guard let kind = options.first(where: { "--" + $0.name == name })?.value else { return [] }
        let answer = values(of: kind, String(word[word.index(after: equals)...]), devices)
        return answer == [CompletionEngine.files] ? answer : answer.map { "\(name)=\($0)" }
    }

    private func values(
        of kind: ValueDescription, _ word: String, _ devices: (String?) -> [String]
    ) -> [String] {
        switch kind.completion {
        case .nothing: []
        case .files: [CompletionEngine.files]
        case .words(let words): words.filter { $0.hasPrefix(word) }
        case .devices: devices(stateDirectory).filter { $0.hasPrefix(word) }
        case .simulatedDevices:
            devices(stateDirectory).filter { $0.hasPrefix(word) && $0.simulatedName != nil }
        }
    }

    /// Behind `help` stand topics, or the words of a command.
    private func topics(_ word: String) -> [String] {
        let commands = root.descendant(positionals)?.subcommands ?? []
        let topics = positionals.isEmpty ? HelpTopic.allCases.map { ($0.rawValue, $0.title) } : []
        return Self.named(word, commands.map { ($0.name, $0.abstract) } + topics)
    }

    private static func named(_ prefix: String, _ entries: [(String, String)]) -> [String] {
        entries.filter { $0.0.hasPrefix(prefix) }.map { $0.0 + "\t" + $0.1 }
    }
}

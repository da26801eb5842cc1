/// A command: the one place that parser, help, completions and manual page are derived from.
struct CommandDeclaration: Sendable {
    /// The word that calls it.
    let name: String
    /// One line, without a full stop.
    let abstract: String
    /// Paragraphs, separated by empty lines.
    var discussion = ""
    var arguments: [ArgumentDeclaration] = []
    /// Options in the order of the help, under their titles.
    var optionGroups: [OptionGroup] = []
    var examples: [CommandExample] = []
    /// A command has either subcommands or arguments and a body.
    var subcommands: [CommandDeclaration] = []
    /// A rule that no single value can break, such as two options that exclude each other.
    var rule: (@Sendable (ParsedArguments) -> Failure?)?

    /// All options of all groups.
    var options: [OptionDeclaration] { optionGroups.flatMap(\.options) }

    func subcommand(named name: String) -> CommandDeclaration? {
        subcommands.first { $0.name == name }
    }

    /// Every command that has a body, with the words that lead to it from here.
    var leaves: [(path: [String], command: CommandDeclaration)] {
        subcommands.flatMap { child in
            child.subcommands.isEmpty
                ? [([child.name], child)]
                : child.leaves.map { ([child.name] + $0.path, $0.command) }
        }
    }
}

/// Options under a title of their own.
struct OptionGroup: Sendable {
    let title: String
    /// Whether several commands have it, so that the manual page explains it once.
    var isShared = false
    let options: [OptionDeclaration]
}

/// A command line that a reader may copy, and what it does.
struct CommandExample: Sendable {
    /// A sentence without a full stop.
    let purpose: String
    let line: String
}

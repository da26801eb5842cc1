/// A command: the one place that parser, help, completions and manual page are derived from.
struct CommandDeclaration: Sendable {
    /// The word that calls it.
    let name: String
    /// One line, without a full stop.
    let abstract: String
    /// Paragraphs, separated by empty lines.
    var discussion = ""
    var arguments: [ArgumentDeclaration] = []
    /// Another way to write its arguments, where an option asks for it.
    var otherForm: CommandForm?
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

/// Another way to write a command's arguments, as `cp -t DIR FILE...` is beside `cp FILE FILE`.
struct CommandForm: Sendable {
    /// The option that this form does not do without, by its long name.
    let needed: String
    /// Other options that make sense in this form alone.
    var others: [String] = []
    /// What stands in the place of the command's own arguments.
    let arguments: [ArgumentDeclaration]
}

extension CommandDeclaration {
    /// The command as it is read where these options, by their long names, stand on the line.
    func form(given options: some Collection<String>) -> CommandDeclaration {
        guard let form = otherForm, options.contains(where: ([form.needed] + form.others).contains)
        else { return self }
        return inOtherForm ?? self
    }

    /// The command in its other form, if it has one.
    var inOtherForm: CommandDeclaration? {
        guard let form = otherForm else { return nil }
        var command = self
        command.otherForm = nil
        command.arguments = form.arguments
        command.optionGroups = optionGroups.map { $0.requiring(form.needed) }
        return command
    }

    /// The arguments of all forms, each name once.
    var allArguments: [ArgumentDeclaration] {
        let others = otherForm?.arguments ?? []
        return arguments + others.filter { other in !arguments.contains { $0.name == other.name } }
    }
}

/// Options under a title of their own.
struct OptionGroup: Sendable {
    let title: String
    /// Whether several commands have it, so that the manual page explains it once.
    var isShared = false
    var options: [OptionDeclaration]

    /// The group in which an option must be given.
    fileprivate func requiring(_ name: String) -> OptionGroup {
        var group = self
        group.options = options.map { option in
            var option = option
            if option.name == name { option.isRequired = true }
            return option
        }
        return group
    }
}

/// A command line that a reader may copy, and what it does.
struct CommandExample: Sendable {
    /// A sentence without a full stop.
    let purpose: String
    let line: String
}

/// A command line that was understood: the command, and the texts of its values, all checked.
struct ParsedArguments: Sendable {
    /// The words that lead to the command: `["sim", "create"]`.
    let path: [String]
    let command: CommandDeclaration
    /// Options that stand for every command, such as `--json`.
    let globalOptions: [OptionDeclaration]
    let optionTexts: [String: [String]]
    let argumentTexts: [String: [String]]

    init(
        path: [String], command: CommandDeclaration, globalOptions: [OptionDeclaration],
        optionTexts: [String: [String]], argumentTexts: [String: [String]]
    ) {
        self.path = path
        self.command = command
        self.globalOptions = globalOptions
        self.optionTexts = optionTexts
        self.argumentTexts = argumentTexts
    }

    /// The value of an option that this command declares.
    subscript<Value>(option: Option<Value>) -> Value {
        let name = option.declaration.name
        precondition(
            (command.options + globalOptions).contains { $0.name == name },
            "'\(path.joined(separator: " "))' does not declare --\(name)")
        return option.read(optionTexts[name] ?? [])
    }

    /// The value of an argument that this command declares.
    subscript<Value>(argument: Argument<Value>) -> Value {
        let name = argument.declaration.name
        precondition(
            command.arguments.contains { $0.name == name },
            "'\(path.joined(separator: " "))' does not declare \(name)")
        return argument.read(argumentTexts[name] ?? [])
    }

    /// Whether an option stands on the line, as opposed to its default.
    func isGiven<Value>(_ option: Option<Value>) -> Bool {
        optionTexts[option.declaration.name] != nil
    }

    /// The device that the command is about, for the field `device` of JSON events.
    var device: String? { argumentTexts["DEVICE"]?.first }
}

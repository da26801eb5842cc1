/// `barge scan`: what advertises nearby.
enum ScanCommand {
    static let name = Option(
        "name", ValueKind.text("PATTERN"),
        "Show only names that match PATTERN, in which * stands for any text, ? for a character")
    static let duration = Option(
        "duration", ValueKind.duration(.milliseconds(100)...(.seconds(3_600))), default: "5s",
        "Listen for so long")

    static let declaration = CommandDeclaration(
        name: "scan",
        abstract: "List the devices that advertise nearby, and the simulated ones",
        optionGroups: [
            OptionGroup(title: "Options", options: [name.declaration, duration.declaration])
        ],
        examples: [
            CommandExample(
                purpose: "Listen twice as long for pumps",
                line: "barge scan --duration 10s --name 'Pump*'")
        ])
}

/// The program itself: the root of all declarations.
enum BargeCommand {
    static let declaration = CommandDeclaration(
        name: "barge",
        abstract: "Move firmware and files over Bluetooth LE channels",
        discussion: """
            Every transfer is checked end to end and can be resumed: running the same command \
            again is always safe, and what is done is not done twice.
            """,
        optionGroups: [GlobalOptions.group],
        examples: [
            CommandExample(
                purpose: "Flash a simulated device; this needs no Bluetooth",
                line: "barge flash firmware.bin sim:demo")
        ],
        subcommands: [
            FlashCommand.declaration
        ],
        rule: GlobalOptions.rule)
}

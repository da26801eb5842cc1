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
                line: "barge flash firmware.bin sim:demo"),
            CommandExample(purpose: "Fetch a log from it", line: "barge pull sim:demo device.log"),
        ],
        subcommands: [
            ScanCommand.declaration, InfoCommand.declaration, FlashCommand.declaration,
            PushCommand.declaration, PullCommand.declaration, ListCommand.declaration,
            RemoveCommand.declaration, ResumeCommand.declaration, PairCommand.declaration,
            ForgetCommand.declaration, ImageCommands.declaration,
            SimulationCommands.declaration, CompletionsCommand.declaration,
            ManualCommand.declaration, HelpCommand.declaration,
        ],
        rule: GlobalOptions.rule)
}

/// `barge resume`: the transfers that were cut short.
enum ResumeCommand {
    static let device = Argument(
        optional: "DEVICE", ValueKind.device, "Only the transfers of this device")
    static let list = Option(
        flag: "list", "Show the unfinished transfers and leave them as they are")

    static let declaration = CommandDeclaration(
        name: "resume",
        abstract: "Go on with the transfers that were cut short",
        discussion: """
            Finds what earlier runs left unfinished, after a crash or a lost link, and goes on \
            with each of them. Transfers that read standard input cannot be resumed.
            """,
        arguments: [device.declaration],
        optionGroups: [
            OptionGroup(title: "Options", options: [list.declaration]), LinkOptions.group,
        ],
        examples: [
            CommandExample(purpose: "See what is unfinished", line: "barge resume --list"),
            CommandExample(purpose: "Finish all of it", line: "barge resume"),
        ],
        rule: LinkOptions.rule)
}

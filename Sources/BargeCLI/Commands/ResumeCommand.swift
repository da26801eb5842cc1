/// `barge resume`: the transfers that were cut short.
enum ResumeCommand {
    static let device = Argument(
        optional: "DEVICE", ValueKind.device, "Only the transfers of this device")
    static let list = Option(
        flag: "list", "Show the unfinished transfers and leave them as they are")
    static let drop = Option(
        flag: "drop", "Forget the unfinished transfers; what the devices hold of them stays there")

    static let declaration = CommandDeclaration(
        name: "resume",
        abstract: "Go on with the transfers that were cut short",
        discussion: """
            Finds what earlier runs left unfinished, after a crash or a lost link, and goes on \
            with each of them. Transfers that read standard input cannot be resumed.
            """,
        arguments: [device.declaration],
        optionGroups: [
            OptionGroup(title: "Options", options: [list.declaration, drop.declaration]),
            LinkOptions.group,
        ],
        examples: [
            CommandExample(purpose: "See what is unfinished", line: "barge resume --list"),
            CommandExample(purpose: "Finish all of it", line: "barge resume"),
            CommandExample(
                purpose: "Give up on a device that is gone for good",
                line: "barge resume --drop sim:old"),
        ],
        rule: { rule($0) ?? LinkOptions.rule($0) })

    private static func rule(_ arguments: ParsedArguments) -> Failure? {
        guard arguments[list], arguments[drop] else { return nil }
        return UsageFailure.contradiction(
            "--list", "--drop", why: "one leaves the transfers as they are, the other forgets them")
    }
}

/// `barge ls`: the files and logs on a device.
enum ListCommand {
    static let device = Argument("DEVICE", ValueKind.device, DeviceWords.argumentHelp)
    static let long = Option(
        flag: "long", short: "l", "Show size and time of the last change as well")

    static let declaration = CommandDeclaration(
        name: "ls",
        abstract: "List the files and logs on a device",
        arguments: [device.declaration],
        optionGroups: [
            OptionGroup(title: "Options", options: [long.declaration]), LinkOptions.group,
        ],
        examples: [
            CommandExample(
                purpose: "List the files of the simulated device", line: "barge ls --long sim:demo")
        ],
        rule: LinkOptions.rule)
}

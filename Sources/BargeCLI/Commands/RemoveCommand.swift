/// `barge rm`: files off a device.
enum RemoveCommand {
    static let device = Argument("DEVICE", ValueKind.device, DeviceWords.argumentHelp)
    static let names = Argument(
        repeated: "NAME", ValueKind.text("NAME"), "The name of a file on the device ('barge ls')")

    static let declaration = CommandDeclaration(
        name: "rm",
        abstract: "Remove files from a device",
        arguments: [device.declaration, names.declaration],
        optionGroups: [LinkOptions.group],
        examples: [
            CommandExample(purpose: "Remove two files", line: "barge rm sim:demo old.log core.bin")
        ],
        rule: LinkOptions.rule)
}

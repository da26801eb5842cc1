/// `barge info`: what a device says of itself.
enum InfoCommand {
    static let device = Argument("DEVICE", ValueKind.device, DeviceWords.argumentHelp)

    static let declaration = CommandDeclaration(
        name: "info",
        abstract: "Show what a device is, runs and can do",
        discussion: """
            Connects, and prints the identity of the device, the images in its slots, the limits \
            that it announced (block, frame, window, codecs), and how the link to it came about.
            """,
        arguments: [device.declaration],
        optionGroups: [LinkOptions.group],
        examples: [
            CommandExample(purpose: "Ask the simulated device", line: "barge info sim:demo")
        ],
        rule: LinkOptions.rule)
}

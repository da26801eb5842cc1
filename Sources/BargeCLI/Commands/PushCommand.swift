/// `barge push`: a file to a device.
enum PushCommand {
    static let file = Argument(
        "FILE", ValueKind.path(takesStandardStream: true),
        "The file to send; - reads standard input, and needs a NAME")
    static let device = Argument("DEVICE", ValueKind.device, DeviceWords.argumentHelp)
    static let name = Argument(
        optional: "NAME", ValueKind.text("NAME"),
        "What the device calls it; the last part of FILE if missing")

    static let declaration = CommandDeclaration(
        name: "push",
        abstract: "Copy a file to a device",
        discussion: """
            The device has the file when its own SHA-256 over what it stored agrees with ours. If \
            it has the same file already, nothing is sent; if it has a part of it, the rest is.
            """,
        arguments: [file.declaration, device.declaration, name.declaration],
        optionGroups: [
            OptionGroup(
                title: "Options",
                options: [
                    CompressionOptions.compression.declaration,
                    CompressionOptions.level.declaration,
                ]),
            LinkOptions.group,
        ],
        examples: [
            CommandExample(
                purpose: "Copy a file under its own name", line: "barge push settings.json sim:demo"
            ),
            CommandExample(
                purpose: "Copy a folder, packed by another program",
                line: "tar cz assets | barge push - sim:demo assets.tgz"),
        ],
        rule: { rule($0) ?? CompressionOptions.rule($0) ?? LinkOptions.rule($0) })

    /// A stream has no name that the device could take.
    private static func rule(_ arguments: ParsedArguments) -> Failure? {
        let order = DeviceWords.order(
            arguments[file], as: "FILE", devices: [arguments[device]], of: declaration)
        if let order { return order }
        guard arguments[file] == "-", arguments[name] == nil else { return nil }
        return UsageFailure.usage(
            "missing-argument", what: "NAME is missing",
            why: "standard input has no name that the device could give to the file",
            advice: "write 'barge push - DEVICE NAME'")
    }
}

/// `barge pair`: keys for a device, and for this computer.
enum PairCommand {
    static let device = Argument("DEVICE", ValueKind.device, DeviceWords.argumentHelp)

    static let declaration = CommandDeclaration(
        name: "pair",
        abstract: "Pair with a device, so that later links need nobody",
        discussion: """
            Every command pairs by itself where that takes nobody; this one does it ahead, at a \
            level that takes somebody as well: that of --security, else what the device wants, \
            and authenticated with --passkey or --yes. What pairing asks is asked on the \
            terminal: the digits that the device shows, or whether it shows the same ones. \
            --passkey and --yes answer in advance, for a build server.

            Both sides keep their keys. Where one side has lost them, nothing is done with less: \
            'barge forget --keys' drops those of this computer, and then the two can pair anew.
            """,
        arguments: [device.declaration],
        optionGroups: [LinkOptions.group],
        examples: [
            CommandExample(
                purpose: "Pair at the level that the device wants", line: "barge pair sim:demo"),
            CommandExample(
                purpose: "Pair with a device that has its digits printed on it, unattended",
                line: "barge pair --security authenticated --passkey 493027 C0:FF:EE:00:11:22"),
        ],
        rule: { rule($0) ?? LinkOptions.rule($0) })

    /// Keys for a link without encryption do not exist.
    private static func rule(_ arguments: ParsedArguments) -> Failure? {
        guard arguments[LinkOptions.security] == .none else { return nil }
        return UsageFailure.usage(
            "bad-value", what: "'none' does not fit --security of 'barge pair'",
            why: "a pairing makes keys, and a link with keys is encrypted",
            advice: "leave --security out, or ask for authenticated or fips")
    }
}

/// `barge forget`: the end of what this computer knows of a device.
enum ForgetCommand {
    static let device = Argument(
        "DEVICE", ValueKind.device,
        "The device: an alias, a serial, an address, a name, or sim:NAME")
    static let keys = Option(
        flag: "keys", "Drop the keys alone: its alias stays, and where it was")

    static let declaration = CommandDeclaration(
        name: "forget",
        abstract: "Drop the keys of a device, its alias and where it was",
        discussion: """
            The device is not told: it keeps its own keys, and some devices refuse to pair anew \
            until those are cleared as well.
            """,
        arguments: [device.declaration],
        optionGroups: [OptionGroup(title: "Options", options: [keys.declaration])],
        examples: [
            CommandExample(
                purpose: "Pair anew with a device that has lost its keys",
                line: "barge forget --keys basement"),
            CommandExample(
                purpose: "Start over with a device that was reset to how it left the factory",
                line: "barge forget sim:demo"),
        ])
}

/// `barge flash`: firmware to a device, until the device says that it runs.
enum FlashCommand {
    static let image = Argument(
        "IMAGE", ValueKind.path(takesStandardStream: true),
        "The firmware: raw binary, MCUboot image, Intel HEX, UF2 or ELF; - reads standard input")
    static let devices = Argument(
        repeated: "DEVICE", ValueKind.device, isRequired: false, DeviceWords.repeatedHelp)

    static let slotImage = Option(
        "slot-image", ValueKind.integer(0...255),
        "Update the image of this number on a device that has several")
    static let key = Option(
        "key", ValueKind.path("PUB"),
        "Refuse the image unless this public key verifies its signature")
    static let noConfirm = Option(
        flag: "no-confirm", "Leave the new image on trial: the next reset goes back to the old one")
    static let noReboot = Option(
        flag: "no-reboot", "Install, and leave the reset to somebody else")
    static let force = Option(
        flag: "force", "Send the image, and reset into it, even if the device already runs it")
    static let erasedValue = Option(
        "erased-value", ValueKind.integer(0...255, placeholder: "BYTE", isHexadecimal: true),
        default: "0xFF", "What fills the gaps of HEX, UF2 and ELF images")

    static let declaration = CommandDeclaration(
        name: "flash",
        abstract: "Install firmware on a device and see it run",
        discussion: """
            The image is checked here before a byte is sent, and by the device before it is \
            installed. The command is done when the device has reset, was found again, says that \
            the new image runs, and has been told to keep it. Until then the old image comes back \
            by itself.

            Run it again after anything went wrong: it goes on where the device stopped. If the \
            image runs already, nothing is sent.

            With several devices, or with --all, one that fails does not keep the others from \
            their turn, unless --canary or --max-failures says so; the exit code is that of the \
            worst. A device that is named twice is flashed once.
            """,
        arguments: [image.declaration, devices.declaration],
        optionGroups: [
            OptionGroup(
                title: "Options",
                options: [
                    key.declaration, force.declaration, noConfirm.declaration,
                    noReboot.declaration, slotImage.declaration, erasedValue.declaration,
                    CompressionOptions.compression.declaration,
                    CompressionOptions.level.declaration,
                ]),
            FleetOptions.group, LinkOptions.group,
        ],
        examples: [
            CommandExample(
                purpose: "Flash the simulated device that is always there",
                line: "barge flash u-boot.bin sim:demo"),
            CommandExample(
                purpose: "Flash a signed image unattended, with events for a script",
                line: "barge flash --json --key signing.pub app.signed.bin C0:FF:EE:00:11:22"),
            CommandExample(
                purpose: "Try an image and keep the way back open",
                line: "barge flash --no-confirm app.hex sim:demo"),
            CommandExample(
                purpose: "Update every pump in range, two of them first, and keep a record",
                line: "barge flash app.hex --all --name 'Pump*' --canary 2 --report pumps.xml"),
        ],
        rule: { CompressionOptions.rule($0) ?? LinkOptions.rule($0) ?? rule($0) })

    /// A trial starts with a reset, and so does what canaries are for.
    private static func rule(_ arguments: ParsedArguments) -> Failure? {
        let order = DeviceWords.order(
            arguments[image], as: "IMAGE", devices: arguments[devices], of: declaration)
        if let order { return order }
        if let failure = FleetOptions.rule(arguments, devices: arguments[devices]) {
            return failure
        }
        if arguments.isGiven(FleetOptions.canary), arguments[noReboot] {
            return UsageFailure.contradiction(
                "--canary", "--no-reboot",
                why: "without a reset nobody sees the new image run on the first devices")
        }
        guard arguments[noConfirm], arguments[noReboot] else { return nil }
        return UsageFailure.contradiction(
            "--no-confirm", "--no-reboot",
            why: "without a reset the new image does not run, and there is nothing to confirm")
    }
}

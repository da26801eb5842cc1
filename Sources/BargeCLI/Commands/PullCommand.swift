/// `barge pull`: a file from a device.
enum PullCommand {
    static let device = Argument("DEVICE", ValueKind.device, DeviceWords.argumentHelp)
    static let name = Argument(
        "NAME", ValueKind.text("NAME"), "The name of the file on the device ('barge ls')")
    static let file = Argument(
        optional: "FILE", ValueKind.path(takesStandardStream: true),
        "Where it goes; the last part of NAME, here, if missing; - writes standard output")
    static let force = Option(
        flag: "force", short: "f", "Replace FILE if something else is there")

    static let declaration = CommandDeclaration(
        name: "pull",
        abstract: "Copy a file from a device",
        discussion: """
            What arrives is kept beside FILE under a name that ends in .part, and becomes FILE at \
            once when its SHA-256 agrees with what the device says. Run the command again after \
            anything went wrong: it goes on where it stopped. Run it again on a log that has \
            grown: only the rest travels.
            """,
        arguments: [device.declaration, name.declaration, file.declaration],
        optionGroups: [
            OptionGroup(title: "Options", options: [force.declaration]), LinkOptions.group,
        ],
        examples: [
            CommandExample(purpose: "Fetch a log", line: "barge pull sim:demo device.log"),
            CommandExample(
                purpose: "Look at its end only",
                line: "barge pull sim:demo device.log - | tail"),
            CommandExample(
                purpose: "Replace another file",
                line: "barge pull --force sim:demo welcome.txt notes.txt"),
        ],
        rule: { rule($0) ?? LinkOptions.rule($0) })

    /// Standard output carries either the file or the events.
    private static func rule(_ arguments: ParsedArguments) -> Failure? {
        let order = DeviceWords.order(
            arguments[name], as: "NAME", device: arguments[device], of: declaration)
        if let order { return order }
        guard arguments[file] == "-", arguments[GlobalOptions.json] else { return nil }
        return UsageFailure.contradiction(
            "--json", "-", why: "both would write to standard output")
    }
}

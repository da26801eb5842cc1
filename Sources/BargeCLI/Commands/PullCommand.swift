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
    static let into = Option(
        "into", ValueKind.directory,
        "The copy of each device goes to DIR/DEVICE/, under the last part of NAME")
    /// The devices of the form with `--into`.
    static let devices = Argument(
        repeated: "DEVICE", ValueKind.device, isRequired: false, DeviceWords.repeatedHelp)

    /// The form for many devices: the file first and then the devices, as with `barge flash`.
    private static let intoForm = CommandForm(
        needed: into.declaration.name, others: FleetOptions.group.options.map(\.name),
        arguments: [name.declaration, devices.declaration])

    static let declaration = CommandDeclaration(
        name: "pull",
        abstract: "Copy a file from a device",
        discussion: """
            What arrives is kept beside FILE under a name that ends in .part, and becomes FILE at \
            once when its SHA-256 agrees with what the device says. Run the command again after \
            anything went wrong: it goes on where it stopped. Run it again on a log that has \
            grown: only the rest travels.

            With --into the file comes from many devices: NAME stands first, then the devices, or \
            --all in their place. Each device has a directory of its own in DIR, made if need be \
            and called as the device is; what a file system may not take is written as % and two \
            hexadecimal digits.
            """,
        arguments: [device.declaration, name.declaration, file.declaration],
        otherForm: intoForm,
        optionGroups: [
            OptionGroup(title: "Options", options: [force.declaration, into.declaration]),
            FleetOptions.group, LinkOptions.group,
        ],
        examples: [
            CommandExample(purpose: "Fetch a log", line: "barge pull sim:demo device.log"),
            CommandExample(
                purpose: "Look at its end only",
                line: "barge pull sim:demo device.log - | tail"),
            CommandExample(
                purpose: "Replace another file",
                line: "barge pull --force sim:demo welcome.txt notes.txt"),
            CommandExample(
                purpose: "Fetch the log of every pump in range, each into logs/PUMP/",
                line: "barge pull --into logs device.log --all --name 'Pump*'"),
        ],
        rule: { rule($0) ?? LinkOptions.rule($0) })

    /// Where the copies come from and go to, in whichever form the line is written.
    enum Way: Equatable, Sendable {
        /// - Parameter file: a path, `-` for standard output; nil for the file's own name, here.
        case one(device: String, file: String?)
        /// - Parameter devices: as named, perhaps twice; none where they are to be looked for.
        case many(devices: [String], directory: String)

        /// Whether standard output carries the file.
        var isToStandardOutput: Bool {
            switch self {
            case .one(_, let file): file == "-"
            case .many: false
            }
        }
    }

    /// The way that a command line asks for.
    static func way(_ arguments: ParsedArguments) -> Way {
        guard let directory = arguments[into] else {
            return .one(device: arguments[device], file: arguments[file])
        }
        return .many(devices: arguments[devices], directory: directory)
    }

    /// Standard output carries either the file or the events.
    private static func rule(_ arguments: ParsedArguments) -> Failure? {
        let way = way(arguments)
        if let order = order(arguments, way) { return order }
        switch way {
        case .one:
            guard way.isToStandardOutput, arguments[GlobalOptions.json] else { return nil }
            return UsageFailure.contradiction(
                "--json", "-", why: "both would write to standard output")
        case .many(let devices, _):
            return FleetOptions.rule(arguments, devices: devices)
        }
    }

    private static func order(_ arguments: ParsedArguments, _ way: Way) -> Failure? {
        let devices =
            switch way {
            case .one(let device, _): [device]
            case .many(let devices, _): devices
            }
        return DeviceWords.order(
            arguments[name], as: "NAME", devices: devices, of: arguments.command)
    }
}

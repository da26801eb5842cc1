import Barge

/// `barge scan`: what advertises nearby.
enum ScanCommand {
    static let name = Option(
        "name", ValueKind.text("PATTERN"),
        "Show only names that match PATTERN, case included; * stands for any text, ? for a"
            + " character")
    static let service = Option(
        "service", ValueKind.uuid, "Show only devices that advertise the service UUID")
    static let address = Option(
        "address", ValueKind.text("ADDRESS"), "Show only the device at this address")
    static let rssi = Option(
        "rssi", ValueKind.signed(SimulatedOddities.strengths, placeholder: "DBM"),
        "Show only devices that are heard this strongly or more, such as -70")
    static let manufacturer = Option(
        "manufacturer", ValueKind.manufacturer,
        "Show only devices that advertise data of this company, beginning so")
    static let serviceData = Option(
        "service-data", ValueKind.serviceData,
        "Show only devices that advertise data of this service, beginning so")
    static let duration = Option(
        "duration", ValueKind.duration(.milliseconds(100)...(.seconds(3_600))), default: "5s",
        "Listen for so long")
    static let remember = Option(
        "remember", ValueKind.alias,
        "Connect to the one device that matches, and call it ALIAS from now on")
    static let known = Option(
        flag: "known", "List the devices that are remembered, and do not listen at all")

    static let declaration = CommandDeclaration(
        name: "scan",
        abstract: "List the devices that advertise nearby, and the simulated ones",
        discussion: """
            On a terminal the table grows while devices are heard, the strongest first. With \
            --json there is a line for each device as soon as it is heard.

            A device is known again by its serial, which it says when it is talked to, whatever \
            its address and its name are by then. With --remember it gets a name of your own, \
            which stands for it in every command.
            """,
        optionGroups: [
            OptionGroup(
                title: "Options",
                options: [
                    name.declaration, service.declaration, address.declaration, rssi.declaration,
                    manufacturer.declaration, serviceData.declaration, duration.declaration,
                    remember.declaration, known.declaration,
                ]), LinkOptions.group,
        ],
        examples: [
            CommandExample(
                purpose: "Listen twice as long for pumps",
                line: "barge scan --duration 10s --name 'Pump*'"),
            CommandExample(
                purpose: "See what is on this desk", line: "barge scan --rssi -60"),
            CommandExample(
                purpose: "Give the simulated device a name of your own",
                line: "barge scan --address sim:demo --remember bench-1"),
        ],
        rule: { rule($0) ?? LinkOptions.rule($0) })

    /// Nothing narrows down what is remembered.
    private static func rule(_ arguments: ParsedArguments) -> Failure? {
        guard arguments[known] else { return nil }
        let listening = [
            name.declaration, service.declaration, address.declaration, rssi.declaration,
            manufacturer.declaration, serviceData.declaration, duration.declaration,
            remember.declaration,
        ]
        guard let given = listening.first(where: { arguments.optionTexts[$0.name] != nil }) else {
            return nil
        }
        return UsageFailure.contradiction(
            "--known", "--" + given.name, why: "one lists what is remembered, the other listens")
    }

    /// Whether a command line lets an advertisement through. `sim:NAME` means the device wherever
    /// it is.
    static func isWanted(_ heard: Advertisement, _ arguments: ParsedArguments) -> Bool {
        let wanted = arguments[address].flatMap { address in
            address.simulatedName.map { _ in PeerID(address) }
        }
        let isThere =
            wanted.map { $0 == heard.peer || $0.rawValue == heard.peer.deviceText } ?? true
        return isThere && filter(arguments).matches(heard)
    }

    /// What a command line has the adapter listen for.
    static func filter(_ arguments: ParsedArguments) -> ScanFilter {
        var filter = ScanFilter()
        filter.name = arguments[name].map { NamePattern($0) }
        filter.service = arguments[service].flatMap { BluetoothUUID($0) }
        if let address = arguments[address], address.simulatedName == nil {
            let peer = PeerID(address)
            filter.peer = peer.isBluetoothAddress ? PeerID(address.uppercased()) : peer
        }
        filter.minimumRSSIDBm = arguments[rssi]
        filter.manufacturer = arguments[manufacturer]
        filter.serviceData = arguments[serviceData]
        return filter
    }
}

extension ValueKind where Value == DeviceAlias {
    /// What a user calls a device.
    fileprivate static var alias: Self {
        ValueKind(
            placeholder: "ALIAS",
            expectation: "1 to \(DeviceAlias.mostCharacters) letters, digits, '-', '_', '.' and "
                + "spaces between them, and nothing that looks like an address or sim:NAME"
        ) { text in try? DeviceAlias(text) }
    }
}

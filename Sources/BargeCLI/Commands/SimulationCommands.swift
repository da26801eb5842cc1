/// `barge sim`: simulated devices.
enum SimulationCommands {
    static let declaration = CommandDeclaration(
        name: "sim",
        abstract: "Make, list and remove simulated devices",
        discussion: """
            A simulated device is called sim:NAME wherever a device is named. Its radio keeps to \
            the physics of Bluetooth LE, in a time of its own that runs as fast as the computer \
            can. sim:demo is there without being created.
            """,
        subcommands: [
            SimulationCreateCommand.declaration, SimulationListCommand.declaration,
            SimulationRemoveCommand.declaration, SimulationRebootCommand.declaration,
            SimulationUnpairCommand.declaration,
        ])
}

/// `barge sim list`.
enum SimulationListCommand {
    static let declaration = CommandDeclaration(
        name: "list",
        abstract: "List the simulated devices and how they were made",
        examples: [CommandExample(purpose: "See which ones there are", line: "barge sim list")])
}

/// `barge sim rm`.
enum SimulationRemoveCommand {
    static let name = Argument(
        "NAME", ValueKind.simulatedDevice(completion: .simulatedDevices), "The simulated device")

    static let declaration = CommandDeclaration(
        name: "rm",
        abstract: "Remove a simulated device with its flash and its files",
        arguments: [name.declaration],
        examples: [
            CommandExample(purpose: "Start over with a new demo device", line: "barge sim rm demo")
        ])
}

/// `barge sim reboot`.
enum SimulationRebootCommand {
    static let name = Argument(
        "NAME", ValueKind.simulatedDevice(completion: .simulatedDevices), "The simulated device")

    static let declaration = CommandDeclaration(
        name: "reboot",
        abstract: "Switch a simulated device off and on again",
        discussion: """
            An image that was on trial and has not been confirmed gives way to the one before it.
            """,
        arguments: [name.declaration],
        examples: [
            CommandExample(purpose: "Let go of an image on trial", line: "barge sim reboot demo")
        ])
}

/// `barge sim unpair`.
enum SimulationUnpairCommand {
    static let name = Argument(
        "NAME", ValueKind.simulatedDevice(completion: .simulatedDevices), "The simulated device")

    static let declaration = CommandDeclaration(
        name: "unpair",
        abstract: "Have a simulated device lose its keys of this computer",
        discussion: """
            This is what a reset to how it left the factory does to a device. This computer keeps \
            its own keys, and finds out when it connects; 'barge forget' drops those.
            """,
        arguments: [name.declaration],
        examples: [
            CommandExample(
                purpose: "See what a lost pairing looks like", line: "barge sim unpair demo")
        ])
}

/// How devices are named, in the words of help and manual page.
enum DeviceWords {
    static let argumentHelp = "The device: an address, a name, or sim:NAME ('barge help devices')"
    static let repeatedHelp =
        "The devices: each an address, a name, or sim:NAME ('barge help devices'); none with --all"

    /// A simulated device in the place of a file, and no device in the place of the device. A file
    /// of such a name is written `./sim:…`.
    ///
    /// - Parameter devices: what stands in the place of the device, or of several.
    static func order(
        _ text: String, as name: String, devices: [String], of command: CommandDeclaration
    ) -> Failure? {
        guard text.simulatedName != nil, devices.contains(where: { $0.simulatedName == nil })
        else { return nil }
        let line = command.synopsis(caller: "barge " + command.name)
        return UsageFailure.swapped(text, with: name, usage: line)
    }

    static let explanation = """
        A device is named by one of

          C0:FF:EE:00:11:22   its Bluetooth address
          "Pump 7"            the name that it advertises
          sim:demo            a simulated device

        A simulated device needs no Bluetooth, no rights and no set-up. Its flash, its files and \
        its pairing live in the state directory and outlast the process; a killed barge is to it \
        what a lost link is to a real one. sim:demo is there without being created; \
        'barge sim create' makes others, with the radio and the flash that you ask for.

        An advertised name that several devices share is refused with the addresses of all of \
        them; name one by its address.
        """
}

/// How devices are named, in the words of help and manual page.
enum DeviceWords {
    static let argumentHelp =
        "The device: an alias, an address, a name, or sim:NAME ('barge help devices')"
    static let repeatedHelp =
        "The devices: each an alias, an address, a name, or sim:NAME ('barge help devices'); none"
        + " with --all"

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
          bench-1             an alias that you gave it
          SN-00417            its serial, if it was talked to before
          "Pump 7"            the name that it advertises
          sim:demo            a simulated device

        A simulated device needs no Bluetooth, no rights and no set-up. Its flash, its files and \
        its pairing live in the state directory and outlast the process; a killed barge is to it \
        what a lost link is to a real one. sim:demo is there without being created; \
        'barge sim create' makes others, with the radio and the flash that you ask for.

        An advertised name that several devices share is refused with the addresses of all of \
        them; name one by its address, or give it an alias.

        A device that was talked to is remembered by its serial: where it was, and what it is. \
        'barge scan --remember ALIAS' gives one a name of your own, 'barge scan --known' lists \
        them, and 'barge forget' forgets one together with its keys. An alias goes before a \
        serial, and both before an advertised name; case does not count in it.

        Some devices are paired with by six digits. They are asked for on the terminal, or given \
        with --passkey; --yes agrees to digits that both sides show. 'barge pair' does it ahead.
        """
}

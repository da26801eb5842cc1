/// Why a device did not get an alias.
public enum DeviceAliasError: Error, Hashable, Sendable {
    /// No device can be called so.
    case bad(String, DeviceAlias.Fault)
    /// Another device has it already, as its alias or as its serial.
    case taken(DeviceAlias, by: KnownDevice)
    /// No device of that serial is known.
    case unknownDevice(serial: String)
    /// The list cannot be read or written.
    case file(LocalFileError)
}

extension BargeError {
    /// Why a device did not get an alias, in words that help.
    public init(_ error: DeviceAliasError) {
        switch error {
        case .bad(let text, let fault):
            self.init(
                .localFileUnusable, "bad-alias", what: "No device can be called '\(text)'",
                why: fault.reason,
                advice: "Use 1 to \(DeviceAlias.mostCharacters) letters, digits, - _ . and spaces "
                    + "between them")
        case .taken(let alias, let owner):
            self.init(
                .localFileUnusable, "alias-taken",
                what: "The alias '\(alias.text)' is taken",
                why: "it is that of \(owner.title), serial \(owner.serial)",
                advice: "Choose another one, or take it away from that device first")
        case .unknownDevice(let serial):
            self.init(
                .deviceNotFound, "device-not-known", what: "No known device \(serial)",
                why: "no device of that serial was talked to before",
                advice: "Talk to it once: barge info DEVICE")
        case .file(let error): self.init(error)
        }
    }
}

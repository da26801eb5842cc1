import Barge

/// Options of `barge sim create`: how the device pairs, and what it demands.
enum SimulatedPairingOptions {
    static let pairing = Option(
        "pairing", ValueKind.choice(PairingCapability.self), default: "none",
        "What it can show and take when it is paired with; none: nobody is asked")
    static let passkey = Option(
        "passkey", ValueKind.passkey,
        "The six digits that it always pairs with; drawn from --seed, if missing")
    static let keyBytes = Option(
        "key-bytes", ValueKind.integer(SimulatedDeviceSettings.keySizes), default: "16",
        "The longest key that it makes, in bytes")
    static let legacyPairing = Option(
        flag: "legacy-pairing", "Pair in the older way, without LE Secure Connections")
    static let refusesComparison = Option(
        flag: "refuses-comparison", "Say no at the device where both sides show the same digits")
    static let refusesNewBond = Option(
        flag: "refuses-new-bond",
        "Refuse to pair anew until it has lost its keys ('barge sim unpair')")
    static let security = Option(
        "security", ValueKind.choice(SecurityChoice.self), default: "encrypted",
        "What a link must reach before it talks")

    static let group = OptionGroup(
        title: "Pairing",
        options: [
            pairing.declaration, passkey.declaration, keyBytes.declaration,
            legacyPairing.declaration, refusesComparison.declaration,
            refusesNewBond.declaration, security.declaration,
        ])

    /// How the device pairs, by a command line.
    static func settings(_ arguments: ParsedArguments) -> SimulatedPairing {
        SimulatedPairing(
            capability: arguments[pairing], passkey: arguments[passkey],
            keyBytes: arguments[keyBytes], isLegacy: arguments[legacyPairing],
            refusesComparison: arguments[refusesComparison],
            refusesNewBond: arguments[refusesNewBond],
            security: SecurityLevel(arguments[security]))
    }

    /// A device that nobody could ever talk to is a slip of whoever wrote the line.
    @Sendable static func rule(_ arguments: ParsedArguments) -> Failure? {
        let settings = settings(arguments)
        if settings.passkey != nil, settings.capability == .none {
            return UsageFailure.contradiction(
                "--passkey", "--pairing none", why: "it neither shows digits nor takes any")
        }
        guard settings.security > settings.maximumSecurity else { return nil }
        let wanted = "--security \(settings.security.name)"
        if settings.capability == .none {
            return UsageFailure.contradiction(
                wanted, "--pairing none", why: "without digits nobody knows who it is")
        }
        return UsageFailure.contradiction(
            wanted, settings.isLegacy ? "--legacy-pairing" : "--key-bytes \(settings.keyBytes)",
            why: "it takes LE Secure Connections and a key of 16 bytes")
    }
}

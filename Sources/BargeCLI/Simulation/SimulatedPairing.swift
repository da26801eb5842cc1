import Barge
import BluetoothSimulation

/// How a simulated device pairs, and what it demands of a link: a part of `device.conf`.
struct SimulatedPairing: Equatable, Sendable {
    /// What it can show and ask.
    var capability = PairingCapability.none
    /// The digits that it always pairs with; nil: each pairing has its own.
    var passkey: Passkey?
    /// Bytes of the longest key that it makes.
    var keyBytes = 16
    /// Whether it pairs without LE Secure Connections.
    var isLegacy = false
    /// Whether the person at the device says no where both sides show the same digits.
    var refusesComparison = false
    /// Whether it keeps others from pairing anew while it has keys of this computer.
    var refusesNewBond = false
    /// What a link must reach before the device talks.
    var security = SecurityLevel.encrypted
}

extension SimulatedPairing {
    var lines: [KeyValueText.Line] {
        [
            ("pairing", capability.rawValue),
            ("passkey", passkey.map { "\($0)" } ?? KeyValueText.none),
            ("key-bytes", String(keyBytes)),
            ("legacy-pairing", KeyValueText.text(isLegacy)),
            ("refuses-comparison", KeyValueText.text(refusesComparison)),
            ("refuses-new-bond", KeyValueText.text(refusesNewBond)),
            ("security", security.name),
        ]
    }

    init(_ text: inout KeyValueText) throws(KeyValueText.Problem) {
        capability = try text.take("pairing", PairingCapability.init(rawValue:))
        passkey = try text.take("passkey", KeyValueText.optional { Passkey($0) })
        keyBytes = try text.take(
            "key-bytes", KeyValueText.number(in: SimulatedDeviceSettings.keySizes))
        isLegacy = try text.take("legacy-pairing", KeyValueText.flag)
        refusesComparison = try text.take("refuses-comparison", KeyValueText.flag)
        refusesNewBond = try text.take("refuses-new-bond", KeyValueText.flag)
        security = try text.take("security") { word in
            SecurityLevel.allCases.first { $0.name == word }
        }
    }

    /// Puts it into what the simulator makes a device of.
    func apply(to configuration: inout DeviceConfiguration) {
        configuration.pairingCapability = capability
        configuration.passkey = passkey
        configuration.keyBytes = keyBytes
        configuration.supportsSecureConnections = !isLegacy
        configuration.confirmsComparison = !refusesComparison
        configuration.acceptsNewBond = !refusesNewBond
    }

    /// Whether it can reach what it demands.
    var maximumSecurity: SecurityLevel {
        var configuration = DeviceConfiguration(peer: PeerID(""))
        apply(to: &configuration)
        return configuration.maximumSecurity
    }

    /// What is out of the ordinary, in words.
    var words: [String] {
        [
            capability == .none ? nil : "pairs with \(capability.rawValue)",
            passkey == nil ? nil : "fixed passkey",
            keyBytes == 16 ? nil : "key of \(keyBytes) B",
            isLegacy ? "legacy pairing" : nil,
            refusesComparison ? "refuses comparisons" : nil,
            refusesNewBond ? "refuses new bonds" : nil,
            security == .encrypted
                ? nil : security == .none ? "demands no security" : "demands \(security.name)",
        ].compactMap { $0 }
    }
}

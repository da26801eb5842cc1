import Bluetooth

/// What two sides make of a pairing (Core 5.4, Vol 3, Part H, 2.3.5.1), or why they make none.
struct PairingPlan {
    let method: PairingMethod
    let bond: SimulatedBond

    /// - Parameter capability: of whoever answers at this computer; nil where nobody does.
    init(
        to level: SecurityLevel, capability: PairingCapability?, device: DeviceConfiguration
    ) throws(BluetoothError) {
        if level > device.maximumSecurity {
            throw level == .fips && device.keyBytes < SecurityLevel.fipsKeyBytes
                && device.supportsSecureConnections && device.pairingCapability != .none
                ? .keyTooShort(
                    wantedBits: 8 * SecurityLevel.fipsKeyBytes, reachedBits: 8 * device.keyBytes)
                : .securityNotReached(
                    wanted: level,
                    reason: "the device pairs at \(device.maximumSecurity.name) at best")
        }
        // Who wants no more than encryption does not ask for protection, so nobody is asked.
        method =
            level <= .encrypted
            ? .justWorks
            : PairingMethod(
                initiator: capability ?? .none, responder: device.pairingCapability,
                secureConnections: device.supportsSecureConnections)
        if level > .encrypted, !method.isAuthenticated {
            throw .securityNotReached(
                wanted: level,
                reason: capability == nil
                    ? "nobody at this computer answers what pairing asks"
                    : "what both sides can show and type does not tell who the peer is")
        }
        bond = SimulatedBond(
            level: method.isAuthenticated ? device.authenticatedLevel : .encrypted,
            keyBytes: device.keyBytes)
        if level > bond.level {
            throw .securityNotReached(
                wanted: level, reason: "this pairing reaches \(bond.level.name) at best")
        }
    }

    /// What a person at this computer is asked; nil for Just Works.
    func question(_ passkey: Passkey, _ peer: PeerID) -> PairingQuestion? {
        switch method {
        case .justWorks: nil
        case .passkeyEntry(.initiator): .enterPasskey(peer)
        case .passkeyEntry(.responder): .showPasskey(passkey, peer)
        case .numericComparison: .compare(passkey, peer)
        }
    }
}

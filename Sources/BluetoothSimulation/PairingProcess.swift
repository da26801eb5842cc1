import Bluetooth

/// A link that is being encrypted, and the pairing before that if there is one.
struct Securing {
    /// Where it stands.
    enum Stage {
        /// Both sides have keys.
        case encrypting(SimulatedBond)
        /// Features and public keys are exchanged; the question comes next.
        case exchanging(PairingQuestion, Passkey)
        /// Somebody at this computer is asked.
        case asking(PairingQuestion, Passkey)
        /// The answer is in, or none was needed: what is left is on the air.
        case finishing(Result<SimulatedBond, BluetoothError>)
    }

    let operation: UInt64
    /// What the pairing will have made, if it comes about.
    let bond: SimulatedBond
    var stage: Stage
    /// When the stage is over; an event for another moment is one of a stage before.
    var dueMicroseconds: UInt64
}

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
        let isStrong =
            device.supportsSecureConnections && device.keyBytes == SecurityLevel.fipsKeyBytes
        bond = SimulatedBond(
            level: !method.isAuthenticated ? .encrypted : isStrong ? .fips : .authenticated,
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

extension SecurityLevel {
    /// The highest level is for keys of 128 bits alone (Core 5.4, Vol 3, Part C, 10.2.1).
    static let fipsKeyBytes = 16
}

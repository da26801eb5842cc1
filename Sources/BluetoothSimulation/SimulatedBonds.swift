public import Bluetooth

/// What one side keeps of a pairing.
public struct SimulatedBond: Hashable, Sendable {
    /// What the link reaches with it.
    public var level: SecurityLevel
    /// The key's length in bytes, 7…16 (Core 5.4, Vol 3, Part H, 2.3.4).
    public var keyBytes: Int

    /// A bond; by default what Just Works makes.
    public init(level: SecurityLevel = .encrypted, keyBytes: Int = 16) {
        self.level = level
        self.keyBytes = keyBytes
    }
}

/// Who has whose keys: handed in by an owner that keeps them, and out again.
public struct SimulatedBonds: Hashable, Sendable {
    /// The central's keys, by device.
    public var centralBonds: [PeerID: SimulatedBond]
    /// The devices' keys of the central.
    public var deviceBonds: [PeerID: SimulatedBond]

    /// Bonds with all that belongs to them.
    public init(
        centralBonds: [PeerID: SimulatedBond], deviceBonds: [PeerID: SimulatedBond]
    ) {
        self.centralBonds = centralBonds
        self.deviceBonds = deviceBonds
    }

    /// Bonds that Just Works made.
    public init(central: Set<PeerID> = [], devices: Set<PeerID> = []) {
        self.init(centralBonds: [:], deviceBonds: [:])
        self.central = central
        self.devices = devices
    }

    /// The devices whose keys the central has. Who is put in has a bond that Just Works made.
    public var central: Set<PeerID> {
        get { Set(centralBonds.keys) }
        set { Self.keep(newValue, in: &centralBonds) }
    }

    /// The devices that have the central's keys. Who is put in has a bond that Just Works made.
    public var devices: Set<PeerID> {
        get { Set(deviceBonds.keys) }
        set { Self.keep(newValue, in: &deviceBonds) }
    }

    private static func keep(_ peers: Set<PeerID>, in bonds: inout [PeerID: SimulatedBond]) {
        bonds = bonds.filter { peers.contains($0.key) }
        for peer in peers where bonds[peer] == nil { bonds[peer] = SimulatedBond() }
    }
}

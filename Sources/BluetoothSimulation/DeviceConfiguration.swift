public import Bluetooth

/// One simulated device, its application aside.
public struct DeviceConfiguration: Hashable, Sendable {
    /// By what the central knows it.
    public var peer: PeerID
    /// What links to it are like.
    public var link = LinkConfiguration()
    /// The longest ATT MTU that its stack takes, 23…517.
    public var attMTU = 247
    /// False: its stack has no connection-oriented channels, whatever the application says.
    public var hasChannels = true
    /// The most channels open at once.
    public var maximumChannels = 8
    /// The best security that pairing with it reaches: `encrypted` stands for Just Works.
    public var maximumSecurity: SecurityLevel = .encrypted
    /// Whether a central that lost its bond may pair anew while the device still has one.
    public var acceptsNewBond = true
    /// Time between two advertisements; each is delayed by another 0…10 ms as Core 5.4, Vol 6,
    /// Part B, 4.4.2.2 demands.
    public var advertisingIntervalMicroseconds = 100_000
    /// The strength at which it is heard, in dBm.
    public var rssiDBm = -50
    /// Each advertisement is heard at a strength of its own, so many dB below or above.
    public var rssiSpreadDB = 0
    /// A company's data that it advertises besides what its application says.
    public var manufacturerData: ManufacturerData?
    /// Services' data that it advertises besides what its application says.
    public var serviceData: [BluetoothUUID: [UInt8]] = [:]

    /// After each reset it has another address: ``SimulatedWorld/currentPeer(of:)`` tells it. The
    /// owner's calls go on naming it by ``peer``.
    public var changesAddress = false
    /// What it calls itself for the first time after a reset.
    public var staleName: String?
    /// How long that is, in µs from when it has power again.
    public var staleNameMicroseconds: UInt64 = 0
    /// The mean of the times, exponentially distributed, after which it reboots of its own accord;
    /// nil: it does not.
    public var meanMicrosecondsBetweenResets: UInt64?
    /// How long it is without power when it reboots of its own accord.
    public var rebootMicroseconds: UInt64 = 0

    /// A device with the defaults above.
    public init(peer: PeerID) { self.peer = peer }

    func validate() {
        link.validate()
        precondition((23...517).contains(attMTU), "an ATT MTU is 23...517 bytes")
        precondition(
            advertisingIntervalMicroseconds >= 20_000, "advertising is every 20 ms or more")
        precondition((0...100).contains(rssiSpreadDB), "a spread is 0...100 dB")
    }
}

/// Who has whose keys: handed in by an owner that keeps them, and out again.
public struct SimulatedBonds: Hashable, Sendable {
    /// The devices whose keys the central has.
    public var central: Set<PeerID>
    /// The devices that have the central's keys.
    public var devices: Set<PeerID>

    /// Bonds as they are on both sides.
    public init(central: Set<PeerID> = [], devices: Set<PeerID> = []) {
        self.central = central
        self.devices = devices
    }
}

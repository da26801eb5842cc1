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
    /// What it can show and ask when it is paired with.
    public var pairingCapability: PairingCapability = .none
    /// The digits that it always pairs with; nil: each pairing draws its own from the seed.
    public var passkey: Passkey?
    /// Whether it pairs with LE Secure Connections, or in the older way only.
    public var supportsSecureConnections = true
    /// The longest key that it makes, in bytes: 7…16 (Core 5.4, Vol 3, Part H, 2.3.4).
    public var keyBytes = 16
    /// Whether the person at the device says yes where both sides show the same digits.
    public var confirmsComparison = true
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
    /// Which of its addresses a device that changes them has when it is added: the first one is
    /// ``peer`` itself.
    public var addressNumber: UInt32 = 1
    /// What it calls itself for the first time after a reset.
    public var staleName: String?
    /// How long that is, in µs from when it has power again.
    public var staleNameMicroseconds: UInt64 = 0
    /// The mean of the times, exponentially distributed, after which it reboots of its own accord;
    /// nil: it does not.
    public var meanMicrosecondsBetweenResets: UInt64?
    /// How long it is without power when it reboots of its own accord.
    public var rebootMicroseconds: UInt64 = 0

    /// The best security that pairing with it reaches, whoever answers at the other side (Core 5.4,
    /// Vol 3, Part C, 10.2.1).
    public var maximumSecurity: SecurityLevel {
        pairingCapability == .none ? .encrypted : authenticatedLevel
    }

    /// What a pairing with it reaches that tells who the peer is.
    var authenticatedLevel: SecurityLevel {
        supportsSecureConnections && keyBytes == SecurityLevel.fipsKeyBytes
            ? .fips : .authenticated
    }

    /// A device with the defaults above.
    public init(peer: PeerID) { self.peer = peer }

    /// Its address when it is added.
    public var firstAddress: PeerID { address(addressNumber) }

    /// Its address of that number.
    func address(_ number: UInt32) -> PeerID {
        changesAddress && number > 1 ? PeerID("\(peer)#\(number)") : peer
    }

    func validate() {
        link.validate()
        precondition((23...517).contains(attMTU), "an ATT MTU is 23...517 bytes")
        precondition(
            advertisingIntervalMicroseconds >= 20_000, "advertising is every 20 ms or more")
        precondition((7...16).contains(keyBytes), "a key is 7...16 bytes")
        precondition((0...100).contains(rssiSpreadDB), "a spread is 0...100 dB")
    }
}

import Bluetooth

/// One link between the central and a device: what the link layer and the two hosts know of it.
final class Link {
    let index: Int
    let device: Device
    let configuration: LinkConfiguration
    var id: ConnectionID { ConnectionID(UInt32(index)) }

    let outgoing: BothSides<Outgoing>

    // The link layer's state.
    private(set) var timing: LinkTiming
    /// Air time by payload bytes.
    private var airMicroseconds: ContiguousArray<UInt64> = []
    /// Time between two connection events: as configured, or longer where links share the radio.
    var intervalMicroseconds: UInt64
    /// After so much silence a side gives the link up.
    var supervisionTimeoutMicroseconds: UInt64
    /// Anchors lie at this moment plus multiples of the interval.
    var anchorOffsetMicroseconds: UInt64 = 0
    /// When its next connection event was planned to begin.
    var nextAnchorMicroseconds: UInt64 = 0
    /// When the event that is running must be over.
    var eventLimitMicroseconds: UInt64 = 0
    var exchangesInEvent = 0
    /// The MD bit of each side's packet in this exchange.
    var hasMore = BothSides(false)
    var loss: RandomStream
    let lossThreshold: UInt64
    var isFlushPlanned = false

    // Who still believes in it.
    /// True for as long as the central's owner may still ask about it.
    var isHeld = true
    /// True from the first connection event on.
    var isEstablished = false
    /// Nothing gets through any more, whoever knows of it.
    var isSevered = false
    var ending = BothSides<LinkLossReason?>(nil)
    var lastHeardMicroseconds = BothSides<UInt64>(0)
    var isMissing = BothSides(false)
    var isSupervisionPlanned = BothSides(false)

    // The hosts' state.
    var attMTU = ATT.defaultMTU
    var security = SecurityLevel.none
    var securing: Securing?
    /// Its key's length; 0 without encryption.
    var keyBytes = 0
    var disconnecting: UInt64?
    var client = AttributeClient()
    /// Value handles whose notifications the central asked for.
    var subscriptions: Set<UInt16> = []
    var isNotifierAwaitingRoom = false
    var channels: [Channel] = []

    /// What went over it.
    var statistics = LinkStatistics()

    init(index: Int, device: Device, seed: UInt64) {
        self.index = index
        self.device = device
        configuration = device.configuration.link
        intervalMicroseconds = UInt64(configuration.connectionIntervalMicroseconds)
        supervisionTimeoutMicroseconds = UInt64(configuration.supervisionTimeoutMicroseconds)
        var outgoing = BothSides(Outgoing())
        outgoing.peripheral = Outgoing()
        self.outgoing = outgoing
        loss = RandomStream(seed: seed, purpose: .packetLoss, number: UInt64(index))
        lossThreshold = UInt64(configuration.packetLossProbability * 4_294_967_296)
        timing = LinkTiming(
            phy: configuration.phy, dataLengthBytes: configuration.dataLengthBytes,
            isEncrypted: false)
        computeAirTimes()
    }

    /// From now on packets with data carry a MIC.
    func encrypt() {
        timing = LinkTiming(
            phy: timing.phy, dataLengthBytes: timing.dataLengthBytes, isEncrypted: true)
        computeAirTimes()
    }

    /// Whatever was under way to encrypt it is over; the display goes dark.
    func endSecuring() {
        securing = nil
        device.displayed = nil
    }

    func airTime(_ payloadBytes: Int) -> UInt64 { airMicroseconds[payloadBytes] }

    var configuredIntervalMicroseconds: UInt64 {
        UInt64(configuration.connectionIntervalMicroseconds)
    }
    /// How long a step of so many connection intervals takes.
    func intervals(_ count: UInt64) -> UInt64 {
        configuration.isUnlimited ? 0 : count * intervalMicroseconds
    }

    private func computeAirTimes() {
        airMicroseconds = ContiguousArray(
            (0...timing.dataLengthBytes).map { UInt64(timing.packetMicroseconds(payloadBytes: $0)) }
        )
    }
}

/// What went over a link so far.
public struct LinkStatistics: Hashable, Sendable {
    /// Exchanges on the air, whole or not.
    public var exchanges = 0
    /// Packets with data, those sent again included.
    public var dataPackets = 0
    /// Packets with data that were sent again.
    public var repeatedDataPackets = 0
    /// SDUs that a receiver threw away because its buffer was full.
    public var lostSDUs = 0
    /// Notifications that the central had no room for.
    public var lostNotifications = 0

    mutating func add(_ other: LinkStatistics) {
        exchanges += other.exchanges
        dataPackets += other.dataPackets
        repeatedDataPackets += other.repeatedDataPackets
        lostSDUs += other.lostSDUs
        lostNotifications += other.lostNotifications
    }
}

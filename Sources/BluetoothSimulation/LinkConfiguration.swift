public import Bluetooth

/// What the radio and the two stacks are like on the links to one device.
public struct LinkConfiguration: Hashable, Sendable {
    /// The PHY in both directions.
    public var phy: PHY = .le2M
    /// The longest link-layer payload, 27…251 bytes.
    public var dataLengthBytes = 251
    /// Time between two connection events, 7.5 ms…4 s in steps of 1.25 ms (Core 5.4, Vol 6,
    /// Part B, 4.5.1). It holds whole exchanges only, so long ones waste less: with 2M and 251
    /// bytes, encrypted, 7.5 ms carry 1317 kbit/s, 30 ms 1383 and 100 ms 1403.
    public var connectionIntervalMicroseconds = 30_000
    /// After so much silence a side gives the link up.
    public var supervisionTimeoutMicroseconds = 4_000_000
    /// The chance of each packet, empty ones too, to arrive damaged. It is sent again in the next
    /// connection event: damage ends an event.
    public var packetLossProbability = 0.0
    /// The most exchanges in one connection event; nil where only the interval ends it.
    public var maximumExchangesPerEvent: Int?
    /// No air time at all: everything arrives in the moment it is sent, in order, and as far as
    /// credits and buffers go. PHY, data length, interval and loss do not apply.
    public var isUnlimited = false

    /// The longest K-frame that either side takes, basic header excluded; nil: what fits one
    /// packet, as Linux has it.
    public var mpsBytes: Int?
    /// How the central grants credits.
    public var centralCredits: CreditPolicy = .kernelModern
    /// How the device grants credits.
    public var deviceCredits: CreditPolicy = .kernelModern
    /// What the central's channels hold for the reader before credits are withheld; never less
    /// than one SDU. The default is what Linux holds in its default socket buffer.
    public var centralReceiveBufferBytes = 80 * 247
    /// The longest SDU that a side makes of what is written to it, in K-frames.
    public var maximumFramesPerSDU = 40
    /// Bytes that a channel takes ahead of the air, so that a sender's progress runs ahead of the
    /// receiver's as it does with SO_SNDBUF; nil: four SDUs of the longest kind. One more SDU is
    /// taken whole where there is any room, and a full queue is writable again at half.
    public var sendBufferBytes: Int?
    /// Write commands, or notifications, that a side holds back before it says that it is full.
    public var attributeQueueDepth = 16
    /// Notifications that the central holds for the reader; what comes on top is lost, since
    /// ATT has no flow control for them.
    public var centralNotificationLimit = 1024

    /// 2M, 251 bytes, 30 ms, no losses.
    public init() {}

    /// No air time, and SDUs as long as they get.
    public static var unlimited: LinkConfiguration {
        var configuration = LinkConfiguration()
        configuration.isUnlimited = true
        configuration.centralReceiveBufferBytes = 1 << 18
        return configuration
    }

    /// The MPS in force.
    var effectiveMPSBytes: Int {
        mpsBytes ?? (isUnlimited ? 65_533 : dataLengthBytes - LinkCeiling.basicHeaderBytes)
    }

    func validate() {
        precondition((27...251).contains(dataLengthBytes), "data length is 27...251 bytes")
        precondition(
            (7_500...4_000_000).contains(connectionIntervalMicroseconds)
                && connectionIntervalMicroseconds % 1_250 == 0,
            "a connection interval is 7.5 ms...4 s in steps of 1.25 ms")
        precondition((0...1).contains(packetLossProbability), "a probability is 0...1")
        precondition((23...65_533).contains(effectiveMPSBytes), "an MPS is 23...65533 bytes")
        precondition(maximumFramesPerSDU > 0 && attributeQueueDepth > 0)
    }
}

/// How the bits of a link travel (Core 5.4, Vol 6, Part B, 2.2 and 2.3).
public enum PHY: String, Hashable, Sendable, CaseIterable {
    /// LE 1M, uncoded.
    case le1M = "1m"
    /// LE 2M, uncoded.
    case le2M = "2m"
    /// LE Coded with two symbols a bit.
    case codedS2 = "coded-s2"
    /// LE Coded with eight symbols a bit.
    case codedS8 = "coded-s8"
}

/// What is known of a link. A value that this backend cannot know is absent, never invented; one
/// that is there lies in the range given, whatever the peer claims.
public struct LinkParameters: Hashable, Sendable {
    /// The PHY in both directions.
    public var phy: PHY?
    /// The longest link-layer payload, 27…251 bytes.
    public var dataLengthBytes: Int?
    /// Time between two connection events: 7,500…4,000,000 µs.
    public var connectionIntervalMicroseconds: Int?
    /// The ATT MTU that both sides settled on, 23…517.
    public var attMTU: Int?
    /// True where the link is encrypted: four bytes more on each packet that carries data.
    public var isEncrypted: Bool?
    /// The level that the link has reached.
    public var security: SecurityLevel?
    /// The longest K-frame that the peer takes on the open CoC, basic header excluded: 23…65533
    /// (Core 5.4, Vol 3, Part A, 4.22).
    public var peerMPS: Int?
    /// The longest SDU that the peer takes on the open CoC: 23…65535 (same place).
    public var peerMTU: Int?

    /// All unknown.
    public init() {}
}

extension LinkParameters {
    /// What packets cost, where enough is known to say.
    public var timing: LinkTiming? {
        guard let phy, let dataLengthBytes, let isEncrypted else { return nil }
        return LinkTiming(phy: phy, dataLengthBytes: dataLengthBytes, isEncrypted: isEncrypted)
    }

    /// What a step may take on a link of that connection interval, in µs: as long as usual, and
    /// twenty intervals at least, since a link with long ones answers late by nature.
    public static func stepMicroseconds(
        usually usual: UInt64, connectionIntervalMicroseconds interval: Int?
    ) -> UInt64 {
        max(usual, 20 * UInt64(max(0, interval ?? 0)))
    }
}

/// What a packet costs on the air. What follows for a whole link is in ``LinkCeiling``.
///
/// Times follow Core 5.4, Vol 6, Part B, 2.1 (uncoded packet: preamble 1 or 2, access address 4,
/// header 2, payload, MIC 4 if encrypted, CRC 3 bytes), 2.2 (coded packet: preamble 80 µs, access
/// address 256 µs, CI and TERM1 at S=8, then header, payload, MIC, CRC and TERM2 at S) and 4.1.1
/// (T_IFS 150 µs). An empty packet carries no MIC.
public struct LinkTiming: Hashable, Sendable {
    /// The PHY in both directions.
    public let phy: PHY
    /// The longest link-layer payload, 27…251 bytes.
    public let dataLengthBytes: Int
    /// True where packets with data carry a MIC.
    public let isEncrypted: Bool

    /// Silence between two packets of one connection event.
    public static let interFrameSpaceMicroseconds = 150
    /// What one message integrity check takes.
    public static let messageIntegrityCheckBytes = 4

    /// The timing of one link.
    /// - Precondition: `dataLengthBytes` is in 27…251.
    public init(phy: PHY, dataLengthBytes: Int, isEncrypted: Bool) {
        precondition((27...251).contains(dataLengthBytes), "data length is 27...251 bytes")
        self.phy = phy
        self.dataLengthBytes = dataLengthBytes
        self.isEncrypted = isEncrypted
    }

    /// Air time in µs of one packet with `payloadBytes` of payload; 0 is the empty packet.
    public func packetMicroseconds(payloadBytes: Int) -> Int {
        let hasCheck = isEncrypted && payloadBytes > 0
        let bytes = payloadBytes + (hasCheck ? Self.messageIntegrityCheckBytes : 0)
        switch phy {
        case .le1M: return (10 + bytes) * 8
        case .le2M: return (11 + bytes) * 4
        case .codedS2: return 376 + (5 + bytes) * 16 + 6
        case .codedS8: return 376 + (5 + bytes) * 64 + 24
        }
    }

    /// Time in µs that one exchange takes: a packet each way and the silence after each.
    public func cycleMicroseconds(payloadBytes: Int, answerBytes: Int = 0) -> Int {
        packetMicroseconds(payloadBytes: payloadBytes) + Self.interFrameSpaceMicroseconds
            + packetMicroseconds(payloadBytes: answerBytes) + Self.interFrameSpaceMicroseconds
    }
}

/// The rate that physics allows on a link, in application bytes one way while the other way is
/// silent. Every figure of a transfer's share is taken against this.
public struct LinkCeiling: Hashable, Sendable {
    /// What the packets cost.
    public let timing: LinkTiming
    /// Time between connection events; nil for a radio that is never idle.
    public let connectionIntervalMicroseconds: Int?

    /// The bytes of the L2CAP basic header (Core 5.4, Vol 3, Part A, 3.1).
    public static let basicHeaderBytes = 4
    /// The bytes of an SDU's length on its first K-frame (same place, 3.4.3).
    public static let sduLengthBytes = 2
    /// Opcode and handle of a write command or a notification (Vol 3, Part F, 3.4.5.3, 3.4.7.1).
    public static let attHeaderBytes = 3

    /// The ceiling of a link whose radio is busy for as much of each interval as whole exchanges
    /// fill.
    public init(timing: LinkTiming, connectionIntervalMicroseconds: Int?) {
        self.timing = timing
        self.connectionIntervalMicroseconds = connectionIntervalMicroseconds
    }

    /// Bytes per second over a CoC that carries SDUs of `sduBytes` in K-frames of at most
    /// `mpsBytes`.
    public func cocBytesPerSecond(sduBytes: Int, mpsBytes: Int) -> Double {
        precondition(sduBytes > 0 && mpsBytes > Self.sduLengthBytes)
        var remaining = sduBytes + Self.sduLengthBytes
        var microseconds = 0
        while remaining > 0 {
            let frame = min(remaining, mpsBytes)
            microseconds += timing.pduMicroseconds(pduBytes: frame + Self.basicHeaderBytes)
            remaining -= frame
        }
        return rate(bytes: sduBytes, microseconds: microseconds)
    }

    /// Bytes per second with write commands or notifications of `valueBytes` each.
    public func gattBytesPerSecond(valueBytes: Int) -> Double {
        precondition(valueBytes > 0)
        let pdu = valueBytes + Self.attHeaderBytes + Self.basicHeaderBytes
        return rate(
            bytes: valueBytes, microseconds: timing.pduMicroseconds(pduBytes: pdu))
    }

    /// The rate of a busy radio, lowered by what is left idle at the end of each interval.
    private func rate(bytes: Int, microseconds: Int) -> Double {
        let busy = Double(bytes) / Double(microseconds) * 1_000_000
        guard let interval = connectionIntervalMicroseconds else { return busy }
        let cycle = timing.cycleMicroseconds(payloadBytes: timing.dataLengthBytes)
        let used = max(1, interval / cycle) * cycle
        return busy * min(1, Double(used) / Double(max(interval, cycle)))
    }
}

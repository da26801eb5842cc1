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
        var cycles: [Int] = []
        while remaining > 0 {
            let frame = min(remaining, mpsBytes)
            cycles += exchanges(pduBytes: frame + Self.basicHeaderBytes)
            remaining -= frame
        }
        return rate(bytes: sduBytes, cycles: cycles)
    }

    /// Bytes per second with write commands or notifications of `valueBytes` each.
    public func gattBytesPerSecond(valueBytes: Int) -> Double {
        precondition(valueBytes > 0)
        let pdu = valueBytes + Self.attHeaderBytes + Self.basicHeaderBytes
        return rate(bytes: valueBytes, cycles: exchanges(pduBytes: pdu))
    }

    /// What each packet of a PDU takes with its acknowledgement, in µs.
    private func exchanges(pduBytes: Int) -> [Int] {
        stride(from: 0, to: pduBytes, by: timing.dataLengthBytes).map { offset in
            timing.cycleMicroseconds(
                payloadBytes: min(timing.dataLengthBytes, pduBytes - offset))
        }
    }

    /// The rate of a busy radio, lowered by what is left idle at the end of each interval. An
    /// exchange longer than the interval takes as many intervals as it touches.
    private func rate(bytes: Int, cycles: [Int]) -> Double {
        guard let interval = connectionIntervalMicroseconds else {
            return Double(bytes) / Double(cycles.reduce(0, +)) * 1_000_000
        }
        precondition(interval > 0)
        var intervals = 0
        var left = 0
        var rounds = 0
        while intervals < Self.sampledIntervals || rounds < Self.sampledRounds {
            for cycle in cycles {
                if cycle > left {
                    let touched = max(1, (cycle + interval - 1) / interval)
                    intervals += touched
                    left = touched * interval
                }
                left -= cycle
            }
            rounds += 1
        }
        let used = intervals * interval - left
        return Double(rounds * bytes) / Double(used) * 1_000_000
    }

    /// Enough for the remainders of intervals and of SDUs to average out.
    private static let sampledIntervals = 64
    private static let sampledRounds = 16
}

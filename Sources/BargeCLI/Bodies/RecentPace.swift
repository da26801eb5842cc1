/// The rate over the last moments on the link's clock: what a bar should say, rather than a mean
/// that remembers a stall for ever.
struct RecentPace {
    private struct Sample {
        var bytes: UInt64
        var coded: UInt64
        var microseconds: UInt64
    }

    private var samples = [Sample(bytes: 0, coded: 0, microseconds: 0)]

    private static let sampleCount = 32

    mutating func note(bytes: UInt64, coded: UInt64, microseconds: UInt64) {
        samples.append(Sample(bytes: bytes, coded: coded, microseconds: microseconds))
        if samples.count > Self.sampleCount { samples.removeFirst() }
    }

    /// Raw bytes.
    var bytesPerSecond: Double? { rate { Double($0.bytes) } }

    /// Bytes in frames: what a link's share is taken of.
    var codedBytesPerSecond: Double? { rate { Double($0.coded) } }

    private func rate(_ count: (Sample) -> Double) -> Double? {
        guard let first = samples.first, let last = samples.last,
            last.microseconds > first.microseconds, last.bytes > first.bytes
        else { return nil }
        return (count(last) - count(first)) * 1_000_000
            / Double(last.microseconds - first.microseconds)
    }
}

/// How long to wait before the next try (1 s, 2 s, 4 s … 30 s, each ±20 %), and when to stop
/// trying. Progress starts both anew.
public struct Backoff: Hashable, Sendable {
    /// How long to go on without progress, in µs.
    public internal(set) var giveUpMicroseconds: UInt64
    /// When something last moved.
    public private(set) var lastProgress: LinkInstant
    private var failures: UInt64 = 0
    private var jitter: UInt64

    /// The pause after the first failure, in µs.
    public static let firstPauseMicroseconds: UInt64 = 1_000_000
    /// The longest pause before its jitter, in µs.
    public static let longestPauseMicroseconds: UInt64 = 30_000_000

    /// Patience that begins now.
    /// - Parameter seed: what jitter is made of. It keeps many hosts from knocking at once and need
    ///   not be secret; one that follows from the device keeps simulated runs alike.
    public init(giveUpMicroseconds: UInt64, seed: String, now: LinkInstant) {
        self.giveUpMicroseconds = giveUpMicroseconds
        lastProgress = now
        // FNV-1a.
        jitter = seed.utf8.reduce(0xCBF2_9CE4_8422_2325) {
            ($0 ^ UInt64($1)) &* 0x100_0000_01B3
        }
    }

    /// Something moved.
    public mutating func progressed(at now: LinkInstant) {
        failures = 0
        lastProgress = max(lastProgress, now)
    }

    /// Time that must not count: the wait for somebody else's link to end.
    public mutating func waited(until now: LinkInstant) { lastProgress = max(lastProgress, now) }

    /// When nothing is tried any more.
    public var deadline: LinkInstant { lastProgress.advanced(microseconds: giveUpMicroseconds) }

    /// µs to wait after another failure, so that the last try begins when patience ends; nil where
    /// it is time to give up.
    public mutating func nextPause(at now: LinkInstant) -> UInt64? {
        guard now < deadline else { return nil }
        let base = min(
            Self.firstPauseMicroseconds << min(failures, 5), Self.longestPauseMicroseconds)
        failures += 1
        // Knuth's linear congruential generator; its high bits are good enough for a jitter.
        jitter = jitter &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        let share = (jitter >> 33) % 401
        return min(base * (800 + share) / 1000, deadline.microseconds(since: now))
    }
}

import Barge

/// What happens during a transfer, in plain values, for every way of showing it.
///
/// A value that a backend cannot know is absent, not invented.
enum ReportedEvent: Equatable, Sendable {
    case scanning
    case connected(ConnectedLink)
    case route(RouteChoice)
    case started(StartedTransfer)
    case progress(ReportedProgress)
    /// The receiver holds everything before this offset, in bytes, even if the power goes now.
    case durable(offset: UInt64)
    case verifying
    case rebooting
    case finished(TransferResult)
    case failed(Failure)
}

/// A link that is up and as secure as was asked for.
struct ConnectedLink: Equatable, Sendable {
    var security: SecurityChoice?
    var attMTU: Int?
    /// One of `1m`, `2m`, `coded-s2`, `coded-s8`.
    var phy: String?
    var intervalMilliseconds: Double?
}

/// A route and, where it is not CoC, why.
struct RouteChoice: Equatable, Sendable {
    var route: Route
    /// Why it is not `coc`, without a full stop; absent where it is.
    var reason: String?
    var psm: Int?
    /// The largest SDU or ATT value that goes out, in bytes.
    var writeLength: Int?
    /// The device's own word for itself, which outlasts its address.
    var serial: String?
}

/// What is to be moved.
struct StartedTransfer: Equatable, Sendable {
    /// The command that moves it.
    typealias Operation = UnfinishedTransfer.Verb

    var operation: Operation
    /// The name of the image or file.
    var name: String
    /// The raw size; absent for a stream.
    var bytes: UInt64?
    /// The offset at which it goes on; 0 for a new one.
    var resumedFrom: UInt64
}

/// How far a transfer has come.
struct ReportedProgress: Equatable, Sendable {
    /// The raw offset reached, of which `resumedFrom` were there before.
    var bytes: UInt64
    var totalBytes: UInt64?
    var resumedFrom: UInt64 = 0
    /// All bytes put on the pipe so far, headers included.
    var sentBytes: UInt64
    /// Raw bytes a second over the last moments, on the link's clock.
    var bytesPerSecond: Double?
    /// Time to the end at that rate.
    var secondsLeft: Double?
    /// Time since the start on the computer's clock.
    var seconds: Double
    var route: Route?
    /// Bytes on the pipe for each raw byte: 0.5 is half.
    var compressionRatio: Double?
    /// The share of what the link could carry at most: 1 is all of it.
    var ceilingShare: Double?

    /// From 0 to 1, if the end is known.
    var fraction: Double? {
        totalBytes.map { $0 == 0 ? 1 : min(1, Double(bytes) / Double($0)) }
    }
}

/// How a transfer ended well.
struct TransferResult: Equatable, Sendable {
    enum Outcome: String, CaseIterable, Sendable {
        case installed
        case alreadyInstalled = "already-installed"
        case copied
        case unchanged
    }

    var outcome: Outcome
    /// The raw size.
    var bytes: UInt64
    /// All bytes put on the pipe, headers included.
    var sentBytes: UInt64
    /// The offset at which this run went on, 0 if it started anew.
    var resumedFrom: UInt64
    var route: RouteChoice
    /// In lower case hexadecimal.
    var sha256: String
    /// Time on the computer's clock.
    var seconds: Double
    /// Time on the simulated air; absent on a real one.
    var linkSeconds: Double?
    /// Whether the air is one that takes no time (`barge sim create --unlimited`).
    var isUnlimited = false

    /// The time that means something to a person: the air's, unless that stands still.
    var shownSeconds: Double { isUnlimited ? seconds : linkSeconds ?? seconds }

    /// Whether simulated time went by much faster than a clock on the wall.
    var runsAhead: Bool { shownSeconds > 2 * seconds }
}

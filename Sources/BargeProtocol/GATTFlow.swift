/// The counts of data values on one GATT pipe. They are 32 bits wide and wrap, which is harmless:
/// never more than 64 values lie between two of them, so their difference says which is ahead.
enum GATTFlow {
    /// How far `count` is ahead of `other`; negative where it is behind.
    static func lead(of count: UInt32, over other: UInt32) -> Int32 {
        Int32(truncatingIfNeeded: count &- other)
    }
}

/// What was sent, and what may be (BTP-022).
struct GATTSender: Equatable, Sendable {
    private(set) var sentValues: UInt32
    private(set) var limit: UInt32

    /// The start of a pipe; another count than 0 only where a test wants to see the wrap.
    init(limit: UInt32, startingAt start: UInt32 = 0) {
        sentValues = start
        self.limit = start &+ limit
    }

    var maySend: Bool { GATTFlow.lead(of: limit, over: sentValues) > 0 }

    /// The first byte of the next value.
    mutating func next() -> UInt8 {
        defer { sentValues &+= 1 }
        return UInt8(truncatingIfNeeded: sentValues & 0x7F)
    }

    mutating func takeBack() { sentValues &-= 1 }

    /// What a limit from the receiver does.
    mutating func raise(to newLimit: UInt32) -> Raise {
        guard GATTFlow.lead(of: newLimit, over: limit) > 0 else { return .ignored }
        let ahead = GATTFlow.lead(of: newLimit, over: sentValues)
        guard ahead <= Int32(GATTPipe.maximumCredit) else { return .excessive }
        limit = newLimit
        return .raised
    }

    enum Raise: Equatable {
        case raised
        case ignored
        case excessive
    }
}

/// What was received, what of it is consumed, and what the peer may send (BTP-022, BTP-023).
struct GATTReceiver: Equatable, Sendable {
    private let creditValues: UInt32
    private(set) var receivedValues: UInt32
    private var consumedValues: UInt32
    private(set) var limit: UInt32

    /// The start of a pipe; another count than 0 only where a test wants to see the wrap.
    init(creditValues: UInt32, startingAt start: UInt32 = 0) {
        self.creditValues = creditValues
        receivedValues = start
        consumedValues = start
        limit = start &+ creditValues
    }

    /// Takes the first byte of a value; the reason where it breaks the pipe (BTP-025).
    mutating func take(_ header: UInt8) -> GATTPipeBreak? {
        guard header == UInt8(truncatingIfNeeded: receivedValues & 0x7F) else { return .gap }
        guard GATTFlow.lead(of: limit, over: receivedValues) > 0 else { return .overLimit }
        receivedValues &+= 1
        return nil
    }

    /// Notes what is consumed; true where the limit rose, as it does once half is used (BTP-023).
    mutating func consume(_ count: UInt32) -> Bool {
        consumedValues &+= min(count, receivedValues &- consumedValues)
        let target = consumedValues &+ creditValues
        guard target &- limit >= max(1, creditValues / 2) else { return false }
        limit = target
        return true
    }

    /// True where the peer has sent more than came (BTP-026).
    func misses(sent: UInt32) -> Bool { GATTFlow.lead(of: sent, over: receivedValues) > 0 }
}

/// A block that the host may send now.
public struct BlockPlan: Equatable, Sendable {
    /// Where it begins.
    public let offset: UInt64
    /// How many raw bytes it holds.
    public let rawBytes: Int

    /// A block by offset and length.
    public init(offset: UInt64, rawBytes: Int) {
        self.offset = offset
        self.rawBytes = rawBytes
    }
}

/// A write as the host sees it.
struct HostWrite: Equatable, Sendable {
    private let length: UInt64
    private let blockBytes: Int
    private let windowBytes: UInt64
    private(set) var sentOffset: UInt64
    private(set) var durableOffset: UInt64

    init(length: UInt64, offset: UInt64, terms: SessionTerms) {
        self.length = length
        blockBytes = terms.blockBytes
        windowBytes = terms.peerWindowBytes
        sentOffset = offset
        durableOffset = offset
    }

    var isComplete: Bool { durableOffset == length }

    mutating func next() -> BlockPlan? {
        let rawBytes = min(UInt64(widening: blockBytes), length - sentOffset)
        guard rawBytes > 0, sentOffset + rawBytes - durableOffset <= windowBytes else {
            return nil
        }
        defer { sentOffset += rawBytes }
        return BlockPlan(offset: sentOffset, rawBytes: Int(truncatingIfNeeded: rawBytes))
    }

    mutating func acknowledged(_ offset: UInt64) { durableOffset = offset }
}

/// A read as the host sees it.
struct HostRead: Equatable, Sendable {
    let end: UInt64
    private let blockBytes: Int
    private let windowBytes: UInt64
    private let inflates: Bool
    private var receivedOffset: UInt64
    private var acknowledgedOffset: UInt64

    init(offset: UInt64, end: UInt64, terms: SessionTerms) {
        self.end = end
        blockBytes = terms.blockBytes
        windowBytes = terms.ownWindowBytes
        inflates = terms.receivingWindowBits != nil
        receivedOffset = offset
        acknowledgedOffset = offset
    }

    var isComplete: Bool { receivedOffset == end }

    func accepts(_ header: BlockHeader) -> Bool {
        let expected = min(UInt64(widening: blockBytes), end - receivedOffset)
        guard header.offset == receivedOffset, expected > 0,
            UInt64(widening: header.rawBytes) == expected,
            header.end - acknowledgedOffset <= windowBytes
        else { return false }
        return header.hasSoundLength(deflates: inflates)
    }

    mutating func received(_ header: BlockHeader) { receivedOffset = header.end }

    /// ACK when half of the window is taken, and at the end.
    mutating func stored(upTo offset: UInt64) -> Message? {
        precondition(offset <= receivedOffset, "stored what was never received")
        guard offset > acknowledgedOffset else { return nil }
        guard (offset - acknowledgedOffset) * 2 >= windowBytes || offset == end else { return nil }
        acknowledgedOffset = offset
        return .acknowledge(offset: offset)
    }
}

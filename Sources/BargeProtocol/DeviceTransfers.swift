/// A write as the device sees it.
struct DeviceWrite: Equatable, Sendable {
    private let length: UInt64
    private let blockBytes: Int
    private let windowBytes: UInt64
    private let deflates: Bool
    private var receivedOffset: UInt64
    private var durableOffset: UInt64
    private var acknowledgedOffset: UInt64

    init(length: UInt64, offset: UInt64, terms: SessionTerms) {
        self.length = length
        blockBytes = terms.blockBytes
        windowBytes = terms.ownWindowBytes
        deflates = terms.receivingWindowBits != nil
        receivedOffset = offset
        durableOffset = offset
        acknowledgedOffset = offset
    }

    /// True where every byte is durable, so that COMMIT is allowed (BTP-065).
    var isComplete: Bool { durableOffset == length }

    /// Why a block is not taken; nil where it is (BTP-050 to BTP-055).
    func flaw(of header: BlockHeader) -> BlockFlaw? {
        guard header.offset == receivedOffset else {
            return BlockFlaw(code: .badOffset, detail: receivedOffset)
        }
        let expected = min(UInt64(widening: blockBytes), length - receivedOffset)
        guard expected > 0, UInt64(widening: header.rawBytes) == expected,
            header.hasSoundLength(deflates: deflates)
        else { return BlockFlaw(code: .badBlock, detail: 0) }
        guard header.end - acknowledgedOffset <= windowBytes else {
            return BlockFlaw(code: .windowExceeded, detail: acknowledgedOffset + windowBytes)
        }
        return nil
    }

    mutating func received(_ header: BlockHeader) { receivedOffset = header.end }

    /// What was received is durable now. An ACK is due when half of the window, or everything, is
    /// not yet acknowledged (BTP-063).
    mutating func stored() -> Message? {
        durableOffset = receivedOffset
        let isDue = (durableOffset - acknowledgedOffset) * 2 >= windowBytes || isComplete
        return isDue ? acknowledgeAll() : nil
    }

    mutating func acknowledgeAll() -> Message? {
        guard durableOffset > acknowledgedOffset else { return nil }
        acknowledgedOffset = durableOffset
        return .acknowledge(offset: durableOffset)
    }
}

/// Why a block is not taken.
struct BlockFlaw: Equatable, Sendable {
    let code: ErrorCode
    let detail: UInt64
}

/// A read as the device sees it.
struct DeviceRead: Equatable, Sendable {
    let end: UInt64
    private let blockBytes: Int
    private let windowBytes: UInt64
    private var sentOffset: UInt64
    private var acknowledgedOffset: UInt64
    private var hasAskedForEnd = false

    init(offset: UInt64, end: UInt64, terms: SessionTerms) {
        self.end = end
        blockBytes = terms.blockBytes
        windowBytes = terms.peerWindowBytes
        sentOffset = offset
        acknowledgedOffset = offset
    }

    /// False for an ACK of what was never sent. One that does not rise changes nothing (BTP-072).
    mutating func acknowledged(_ offset: UInt64) -> Bool {
        guard offset <= sentOffset else { return false }
        acknowledgedOffset = max(acknowledgedOffset, offset)
        return true
    }

    mutating func next() -> DeviceReadStep {
        guard sentOffset < end else {
            guard !hasAskedForEnd else { return .none }
            hasAskedForEnd = true
            return .end(end)
        }
        let rawBytes = min(UInt64(widening: blockBytes), end - sentOffset)
        guard sentOffset + rawBytes - acknowledgedOffset <= windowBytes else { return .none }
        defer { sentOffset += rawBytes }
        return .send(offset: sentOffset, rawBytes: Int(truncatingIfNeeded: rawBytes))
    }
}

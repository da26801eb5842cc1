import BargeProtocol

/// The bytes that a text in hexadecimal stands for; blanks and line ends are skipped.
func bytes(hex: String) -> [UInt8] {
    let digits = hex.compactMap(\.hexDigitValue)
    precondition(digits.count.isMultiple(of: 2), "half a byte")
    return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
}

/// An integer's bytes, the least significant first.
func little(_ value: UInt64, bytes count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * UInt64($0))) }
}

/// The integer in `range`, the least significant byte first.
func integer(_ bytes: [UInt8], _ range: Range<Int>) -> UInt64 {
    bytes[range].reversed().reduce(0) { $0 << 8 | UInt64($1) }
}

extension Name {
    /// A name of any bytes, 255 at most.
    init(bytes: [UInt8]) {
        guard let name = Name(bytes.span.bytes) else { preconditionFailure("too long for a test") }
        self = name
    }

    init(text: String) { self.init(bytes: Array(text.utf8)) }

    var bytes: [UInt8] { (0..<byteCount).map { byte(at: $0) } }
}

extension Digest {
    /// 32 times the same byte.
    init(repeating byte: UInt8) {
        self.init(bytes: [UInt8](repeating: byte, count: 32))
    }

    init(bytes: [UInt8]) {
        guard let digest = Digest(bytes.span.bytes) else { preconditionFailure("not 32 bytes") }
        self = digest
    }

    /// The machines only carry digests, so that a stand-in for SHA-256 serves in their tests.
    init(standInFor content: [UInt8]) {
        let check = little(UInt64(CRC32.value(of: content.span.bytes)), bytes: 4)
        self.init(bytes: (0..<8).flatMap { _ in check })
    }
}

extension Message {
    /// The whole frame.
    func frame(tag: UInt8, payload: [UInt8] = []) -> [UInt8] {
        var sink: [UInt8] = []
        encode(tag: tag, payload: payload.span.bytes, into: &sink)
        return sink
    }

    /// A stored block of these bytes.
    static func storedBlock(at offset: UInt64, _ rawBytes: Int) -> Message {
        .block(
            BlockHeader(coding: .stored, offset: offset, rawBytes: rawBytes, codedBytes: rawBytes))
    }

    static func deflatedBlock(at offset: UInt64, _ rawBytes: Int, coded: Int) -> Message {
        .block(
            BlockHeader(coding: .deflated, offset: offset, rawBytes: rawBytes, codedBytes: coded))
    }
}

/// A frame as a peer of ours would read it from a stream.
struct ReadFrame: Equatable {
    let tag: UInt8
    let message: Message?
    let totalBytes: Int

    /// The frame at the start of `stream`, nil where it is not all there.
    init?(_ stream: [UInt8], maximumBodyBytes: Int = 65_535) throws(ProtocolFault) {
        var parser = FrameParser()
        parser.maximumBodyBytes = maximumBodyBytes
        guard case .frame(let layout) = try parser.next(in: stream.span.bytes) else { return nil }
        tag = layout.tag
        totalBytes = layout.totalBytes
        message = try Message.decode(
            type: layout.type, body: stream.span.bytes.extracting(layout.body))
    }
}

/// What `Message.decode` makes of a body.
func decode(_ type: FrameType, _ body: [UInt8]) throws(ProtocolFault) -> Message? {
    try Message.decode(type: type.rawValue, body: body.span.bytes)
}

/// Finds frames in a stream. It holds no bytes: the caller keeps what has arrived in memory of its
/// own, asks for the frame at its start, and drops what the frame took.
public struct FrameParser: Equatable, Sendable {
    /// The longest body taken now: small until HELLO is through, then what was announced
    /// (BTP-031).
    public var maximumBodyBytes: Int

    /// A parser for the start of a session.
    public init() { maximumBodyBytes = ProtocolLimits.helloBodyBytes }

    /// What is at the start of `stream`.
    /// - Throws: `badCheck` or `bodyTooLong`: the stream cannot be trusted from here on.
    public func next(in stream: RawSpan) throws(ProtocolFault) -> ParsedFrame {
        guard stream.byteCount >= ProtocolLimits.headerBytes else {
            return .incomplete(neededBytes: ProtocolLimits.headerBytes)
        }
        let bodyBytes = Int(stream.byte(at: 2)) | Int(stream.byte(at: 3)) << 8
        guard bodyBytes <= maximumBodyBytes else { throw .bodyTooLong(bytes: bodyBytes) }
        let checked = ProtocolLimits.headerBytes + bodyBytes
        let total = checked + ProtocolLimits.checkBytes
        guard stream.byteCount >= total else { return .incomplete(neededBytes: total) }
        var reader = BodyReader()
        let check = try reader.u32(stream.extracting(checked..<total))
        guard CRC32.value(of: stream.extracting(0..<checked)) == check else { throw .badCheck }
        let frame = FrameLayout(
            type: stream.byte(at: 0), tag: stream.byte(at: 1),
            body: ProtocolLimits.headerBytes..<checked, totalBytes: total)
        return .frame(frame)
    }
}

/// What a parser found.
public enum ParsedFrame: Equatable, Sendable {
    /// Not all there yet; nothing to do before so many bytes have arrived.
    case incomplete(neededBytes: Int)
    /// A whole frame whose check agrees.
    case frame(FrameLayout)
}

/// Where a frame's parts lie in the stream.
public struct FrameLayout: Equatable, Sendable {
    /// The type's number.
    public let type: UInt8
    /// The tag of the request that it belongs to.
    public let tag: UInt8
    /// The body, counted from the frame's start.
    public let body: Range<Int>
    /// The whole frame, check included: what the caller drops.
    public let totalBytes: Int
}

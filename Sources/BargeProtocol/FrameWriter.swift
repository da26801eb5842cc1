/// Puts one frame into a sink: header, fields, and the CRC-32 over both (BTP-030).
struct FrameWriter {
    private var check = CRC32()
    private var remainingBytes: Int

    /// Starts a frame whose body will have exactly `bodyBytes`.
    init(type: UInt8, tag: UInt8, bodyBytes: Int, into sink: inout some ByteSink) {
        precondition(bodyBytes <= Int(ProtocolLimits.bodyBytes.upperBound), "body too long")
        remainingBytes = bodyBytes + ProtocolLimits.headerBytes
        put(type, into: &sink)
        put(tag, into: &sink)
        put(UInt16(bodyBytes), into: &sink)
    }

    mutating func put(_ byte: UInt8, into sink: inout some ByteSink) {
        check.update(byte)
        remainingBytes -= 1
        sink.append(byte)
    }

    mutating func put(_ value: UInt16, into sink: inout some ByteSink) {
        put(UInt64(widening: UInt32(value)), bytes: 2, into: &sink)
    }

    mutating func put(_ value: UInt32, into sink: inout some ByteSink) {
        put(UInt64(widening: value), bytes: 4, into: &sink)
    }

    mutating func put(_ value: UInt64, into sink: inout some ByteSink) {
        put(value, bytes: 8, into: &sink)
    }

    /// The low `bytes` of a value, the least significant first.
    mutating func put(_ value: UInt64, bytes: Int, into sink: inout some ByteSink) {
        var rest = value
        for _ in 0..<bytes {
            put(UInt8(truncatingIfNeeded: rest), into: &sink)
            rest &>>= 8
        }
    }

    mutating func put(_ digest: Digest, into sink: inout some ByteSink) {
        for index in 0..<Digest.byteCount { put(digest.byte(at: index), into: &sink) }
    }

    /// A length and so many bytes.
    mutating func put(_ name: Name, into sink: inout some ByteSink) {
        put(UInt8(name.byteCount), into: &sink)
        for index in 0..<name.byteCount { put(name.byte(at: index), into: &sink) }
    }

    mutating func put(_ bytes: RawSpan, into sink: inout some ByteSink) {
        check.update(bytes)
        remainingBytes -= bytes.byteCount
        sink.append(contentsOf: bytes)
    }

    /// Ends the frame with its check.
    consuming func finish(into sink: inout some ByteSink) {
        precondition(remainingBytes == 0, "the body is not as long as its header says")
        var rest = check.value
        for _ in 0..<ProtocolLimits.checkBytes {
            sink.append(UInt8(truncatingIfNeeded: rest))
            rest &>>= 8
        }
    }
}

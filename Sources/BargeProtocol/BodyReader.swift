/// Takes fields off a body, front to back. A field that is not all there is `malformed` (BTP-033);
/// what is left over at the end is for later versions.
struct BodyReader {
    private(set) var offset = 0

    mutating func u8(_ body: RawSpan) throws(ProtocolFault) -> UInt8 {
        try UInt8(truncatingIfNeeded: integer(body, bytes: 1))
    }

    mutating func u16(_ body: RawSpan) throws(ProtocolFault) -> UInt16 {
        try UInt16(truncatingIfNeeded: integer(body, bytes: 2))
    }

    mutating func u32(_ body: RawSpan) throws(ProtocolFault) -> UInt32 {
        try UInt32(truncatingIfNeeded: integer(body, bytes: 4))
    }

    mutating func u48(_ body: RawSpan) throws(ProtocolFault) -> UInt64 {
        try integer(body, bytes: 6)
    }

    mutating func u64(_ body: RawSpan) throws(ProtocolFault) -> UInt64 {
        try integer(body, bytes: 8)
    }

    mutating func digest(_ body: RawSpan) throws(ProtocolFault) -> Digest {
        let range = try take(Digest.byteCount, of: body)
        guard let digest = Digest(body.extracting(range)) else { throw .malformed }
        return digest
    }

    mutating func name(_ body: RawSpan) throws(ProtocolFault) -> Name {
        let count = try Int(u8(body))
        let range = try take(count, of: body)
        guard let name = Name(body.extracting(range)) else { throw .malformed }
        return name
    }

    /// The range of the next `count` bytes.
    mutating func take(_ count: Int, of body: RawSpan) throws(ProtocolFault) -> Range<Int> {
        guard count <= body.byteCount - offset else { throw .malformed }
        defer { offset += count }
        return offset..<offset + count
    }

    private mutating func integer(_ body: RawSpan, bytes: Int) throws(ProtocolFault) -> UInt64 {
        let range = try take(bytes, of: body)
        var value: UInt64 = 0
        for index in range.reversed() {
            value = value &<< 8 | UInt64(widening: UInt32(body.byte(at: index)))
        }
        return value
    }
}

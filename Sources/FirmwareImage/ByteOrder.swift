/// The order in which a file stores the bytes of its integers.
public enum ByteOrder: String, Sendable, Hashable {
    /// Least significant byte first: every Cortex-M and RISC-V image, and all of UF2.
    case little = "little-endian"
    /// Most significant byte first: `imgtool sign --endian big`, PowerPC and big-endian MIPS ELF.
    case big = "big-endian"
}

/// Reads integers out of a file at checked offsets: what does not lie inside reads as `nil`.
struct ByteReader {
    let bytes: [UInt8]
    let order: ByteOrder

    init(_ bytes: [UInt8], order: ByteOrder = .little) {
        self.bytes = bytes
        self.order = order
    }

    /// The bytes at an offset, or `nil` if any of them lies outside.
    func slice(at offset: Int, count: Int) -> ArraySlice<UInt8>? {
        guard offset >= 0, count >= 0, offset <= bytes.count else { return nil }
        guard count <= bytes.count - offset else { return nil }
        return bytes[offset..<(offset + count)]
    }

    func integer16(at offset: Int) -> UInt16? {
        integer(at: offset, byteCount: 2).map { UInt16(truncatingIfNeeded: $0) }
    }

    func integer32(at offset: Int) -> UInt32? {
        integer(at: offset, byteCount: 4).map { UInt32(truncatingIfNeeded: $0) }
    }

    func integer64(at offset: Int) -> UInt64? {
        integer(at: offset, byteCount: 8)
    }

    private func integer(at offset: Int, byteCount: Int) -> UInt64? {
        guard let raw = slice(at: offset, count: byteCount) else { return nil }
        switch order {
        case .little: return raw.reversed().reduce(0) { $0 << 8 | UInt64($1) }
        case .big: return raw.reduce(0) { $0 << 8 | UInt64($1) }
        }
    }
}

import CZlib

/// A CRC-32 that grows with the bytes it is fed: IEEE 802.3, reflected polynomial 0xEDB88320, by
/// zlib.
struct CRC32 {
    /// The value over all bytes so far; 0 for none.
    private(set) var value: UInt32 = 0

    /// Takes the next bytes in.
    mutating func update(_ bytes: UnsafeRawBufferPointer) {
        guard let base = bytes.baseAddress else { return }
        let typed = base.assumingMemoryBound(to: UInt8.self)
        value = UInt32(truncatingIfNeeded: crc32_z(UInt(value), typed, bytes.count))
    }

    /// The value over all of `bytes`.
    static func of(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
        var crc = CRC32()
        crc.update(bytes)
        return crc.value
    }
}

/// CRC-32 as IEEE 802.3 and zlib have it: polynomial 0xEDB88320 reflected, start and final
/// exclusive-or 0xFFFFFFFF.
public struct CRC32: Equatable, Sendable {
    private var remainder: UInt32 = 0xFFFF_FFFF

    /// The CRC of no bytes yet.
    public init() {}

    /// Goes on where a CRC of `value` ended.
    public init(continuing value: UInt32) { remainder = ~value }

    /// The CRC of all bytes so far.
    public var value: UInt32 { ~remainder }

    /// Takes one byte.
    @inline(__always)
    public mutating func update(_ byte: UInt8) {
        let index = Int((remainder ^ UInt32(byte)) & 0xFF)
        remainder = CRC32Table.remainders[index] ^ (remainder >> 8)
    }

    /// Takes many bytes.
    public mutating func update(_ bytes: RawSpan) {
        remainder = Self.advance(remainder, over: bytes)
    }

    /// The CRC of `bytes` alone.
    public static func value(of bytes: RawSpan) -> UInt32 {
        ~advance(0xFFFF_FFFF, over: bytes)
    }
}

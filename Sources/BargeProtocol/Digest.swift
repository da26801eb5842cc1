/// A SHA-256 digest: 32 bytes in the order in which FIPS 180-4 prints them.
public struct Digest: Equatable, Sendable {
    private var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

    /// How many bytes a digest has.
    public static let byteCount = 32

    /// All zeros: the digest of nothing known.
    public init() {}

    /// The digest in `bytes`; nil where those are not 32.
    public init?(_ bytes: RawSpan) {
        guard bytes.byteCount == Self.byteCount else { return nil }
        words.0 = Self.word(bytes, at: 0)
        words.1 = Self.word(bytes, at: 8)
        words.2 = Self.word(bytes, at: 16)
        words.3 = Self.word(bytes, at: 24)
    }

    /// Byte `index`, 0…31.
    public func byte(at index: Int) -> UInt8 {
        let shift = UInt64(56 - 8 * (index & 7))
        switch index >> 3 {
        case 0: return UInt8(truncatingIfNeeded: words.0 >> shift)
        case 1: return UInt8(truncatingIfNeeded: words.1 >> shift)
        case 2: return UInt8(truncatingIfNeeded: words.2 >> shift)
        case 3: return UInt8(truncatingIfNeeded: words.3 >> shift)
        default: preconditionFailure("a digest has 32 bytes")
        }
    }

    /// True where all bytes are zero.
    public var isZero: Bool { self == Digest() }

    /// Equal where all bytes are.
    public static func == (left: Digest, right: Digest) -> Bool {
        left.words.0 == right.words.0 && left.words.1 == right.words.1
            && left.words.2 == right.words.2 && left.words.3 == right.words.3
    }

    private static func word(_ bytes: RawSpan, at offset: Int) -> UInt64 {
        var word: UInt64 = 0
        for index in offset..<offset + 8 { word = word << 8 | UInt64(bytes.byte(at: index)) }
        return word
    }
}

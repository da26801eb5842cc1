/// A SHA-256 digest: 32 bytes in the order in which FIPS 180-4 prints them.
public struct Digest: Equatable, Sendable {
    private var storage: InlineArray<32, UInt8> = InlineArray(repeating: 0)

    /// How many bytes a digest has.
    public static let byteCount = 32

    /// All zeros: the digest of nothing known.
    public init() {}

    /// The digest in `bytes`; nil where those are not 32.
    public init?(_ bytes: RawSpan) {
        guard bytes.byteCount == Self.byteCount else { return nil }
        for index in 0..<Self.byteCount { storage[index] = bytes.byte(at: index) }
    }

    /// Byte `index`, 0…31.
    public func byte(at index: Int) -> UInt8 { storage[index] }

    /// True where all bytes are zero.
    public var isZero: Bool { self == Digest() }

    /// Equal where all bytes are.
    public static func == (left: Digest, right: Digest) -> Bool {
        for index in 0..<byteCount where left.storage[index] != right.storage[index] {
            return false
        }
        return true
    }
}

/// A SHA-256 value: 32 bytes, in the order in which FIPS 180-4 writes them.
public struct ContentDigest: Hashable, Sendable, CustomStringConvertible {
    /// Bytes of a digest.
    public static let byteCount = 32

    /// Four big-endian words, the first one first.
    private var words: (UInt64, UInt64, UInt64, UInt64)

    /// A digest from its 32 bytes; `nil` for any other number of them.
    public init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count == Self.byteCount else { return nil }
        words = (0, 0, 0, 0)
        withUnsafeMutableBytes(of: &words) { $0.copyBytes(from: bytes) }
    }

    /// The 32 bytes.
    public var bytes: [UInt8] { withUnsafeBytes(of: words) { Array($0) } }

    /// 64 hexadecimal digits.
    public var description: String {
        bytes.reduce(into: "") { text, byte in
            text += (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
    }

    /// Equal bytes.
    public static func == (left: ContentDigest, right: ContentDigest) -> Bool {
        left.words == right.words
    }

    /// Feeds the bytes to a hasher.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(words.0)
        hasher.combine(words.1)
        hasher.combine(words.2)
        hasher.combine(words.3)
    }
}

/// One run of SHA-256 (FIPS 180-4). The device half takes it from outside: a computer has OpenSSL,
/// a microcontroller often hardware.
public protocol SHA256Digester {
    /// Begins a run.
    init()
    /// Takes the next bytes in.
    mutating func update(_ bytes: UnsafeRawBufferPointer)
    /// Ends the run; nothing may follow.
    mutating func finish() -> ContentDigest
}

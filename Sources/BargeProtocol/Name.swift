/// Up to 255 bytes of text, held without allocation: a file's name, a serial, an error's text.
///
/// The bytes are as the peer sent them. ``isValidFileName`` says whether they name a file.
public struct Name: Equatable, Sendable {
    private var storage: InlineArray<255, UInt8> = InlineArray(repeating: 0)
    /// How many bytes it has, 0…255.
    public private(set) var byteCount: Int = 0

    /// No bytes.
    public init() {}

    /// The bytes given; nil where they are more than 255.
    public init?(_ bytes: RawSpan) {
        guard bytes.byteCount <= ProtocolLimits.nameBytes else { return nil }
        for offset in 0..<bytes.byteCount { storage[offset] = bytes.byte(at: offset) }
        byteCount = bytes.byteCount
    }

    /// A text that the program itself holds, cut at 255 bytes.
    public init(_ text: StaticString) {
        let count = min(text.utf8CodeUnitCount, ProtocolLimits.nameBytes)
        for offset in 0..<count { storage[offset] = text.utf8Start[offset] }
        byteCount = count
    }

    /// One more byte; beyond 255 it is a programming error.
    mutating func append(_ byte: UInt8) {
        storage[byteCount] = byte
        byteCount += 1
    }

    /// Byte `index`, below ``byteCount``.
    public func byte(at index: Int) -> UInt8 {
        precondition(index < byteCount, "beyond the name")
        return storage[index]
    }

    /// True where there are no bytes.
    public var isEmpty: Bool { byteCount == 0 }

    /// Equal where all bytes are.
    public static func == (left: Name, right: Name) -> Bool {
        guard left.byteCount == right.byteCount else { return false }
        for index in 0..<left.byteCount where left.storage[index] != right.storage[index] {
            return false
        }
        return true
    }

    /// True where it sorts before another, byte by byte (BTP-081).
    func precedes(_ other: Name) -> Bool {
        for index in 0..<min(byteCount, other.byteCount)
        where storage[index] != other.storage[index] {
            return storage[index] < other.storage[index]
        }
        return byteCount < other.byteCount
    }
}

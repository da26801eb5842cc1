/// Up to `capacity` bytes of text, 255 at most, in no more space than that: HELLO's texts and an
/// error's. A ``Name`` for each would make HELLO the largest message of all by far.
struct ShortText<let capacity: Int>: Equatable, Sendable {
    private var storage: InlineArray<capacity, UInt8> = InlineArray(repeating: 0)
    private var byteCount: UInt8 = 0

    /// No bytes.
    init() {}

    /// The bytes of a name; one that is too long is a programming error.
    init(_ name: Name) {
        precondition(name.byteCount <= capacity, "longer than the protocol allows")
        for index in 0..<name.byteCount { storage[index] = name.byte(at: index) }
        byteCount = UInt8(name.byteCount)
    }

    /// The same bytes as a name.
    var name: Name {
        var name = Name()
        for index in 0..<Int(byteCount) { name.append(storage[index]) }
        return name
    }

    /// Equal where all bytes are.
    static func == (left: ShortText, right: ShortText) -> Bool {
        guard left.byteCount == right.byteCount else { return false }
        for index in 0..<Int(left.byteCount) where left.storage[index] != right.storage[index] {
            return false
        }
        return true
    }
}

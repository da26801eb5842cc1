/// Up to 32 bytes of text: a serial, a model or a software's name, in the space of one. A ``Name``
/// for each would make HELLO the largest message of all by far.
struct Label: Equatable, Sendable {
    private var storage: InlineArray<32, UInt8> = InlineArray(repeating: 0)
    private var byteCount: UInt8 = 0

    /// No bytes.
    init() {}

    /// The bytes of a name that is short enough.
    init(_ name: Name) {
        precondition(name.byteCount <= ProtocolLimits.labelBytes, "a label has 32 bytes at most")
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
    static func == (left: Label, right: Label) -> Bool {
        guard left.byteCount == right.byteCount else { return false }
        for index in 0..<Int(left.byteCount) where left.storage[index] != right.storage[index] {
            return false
        }
        return true
    }
}

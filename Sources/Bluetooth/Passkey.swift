/// Six digits, 0…999,999 (Core 5.4, Vol 3, Part H, 2.3.5.3).
public struct Passkey: Hashable, Sendable, CustomStringConvertible {
    /// The number.
    public let value: UInt32

    /// Nil for numbers of more than six digits.
    public init?(_ value: UInt32) {
        guard value <= 999_999 else { return nil }
        self.value = value
    }

    /// Reads exactly six digits.
    public init?(_ text: String) {
        guard text.utf8.count == 6, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let value = UInt32(text)
        else { return nil }
        self.init(value)
    }

    /// Six digits, zeros in front.
    public var description: String {
        let digits = String(value)
        return String(repeating: "0", count: 6 - digits.count) + digits
    }
}

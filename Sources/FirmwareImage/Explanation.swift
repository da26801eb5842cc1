/// What a person, or a build server's log, is told: what is wrong, why, and what to do next.
public struct Explanation: Sendable, Equatable, CustomStringConvertible {
    /// What is wrong, as a sentence.
    public let error: String
    /// Why that is so, or why it matters, as a sentence.
    public let reason: String
    /// What to do next, as a sentence.
    public let advice: String

    /// The three sentences, in the order in which they are read.
    public init(error: String, reason: String, advice: String) {
        self.error = error
        self.reason = reason
        self.advice = advice
    }

    /// All three sentences on one line.
    public var description: String { "\(error) \(reason) \(advice)" }
}

/// A 32-bit or 64-bit number the way data sheets print it: `0x0800C000`.
func hexadecimal(_ value: some FixedWidthInteger & UnsignedInteger, digits: Int = 8) -> String {
    let plain = String(value, radix: 16, uppercase: true)
    return "0x" + String(repeating: "0", count: max(0, digits - plain.count)) + plain
}

/// Bytes as lower-case hexadecimal digits without separators, as `sha256sum` prints them.
func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
}

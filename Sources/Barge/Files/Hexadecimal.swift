import BargeProtocol

/// Bytes as hexadecimal digits and back.
public enum Hexadecimal {
    /// Two lowercase digits a byte.
    public static func text(_ bytes: some Sequence<UInt8>) -> String {
        let text = bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 0xF)]] }
        return String(decoding: text, as: UTF8.self)
    }

    static func text(_ digest: Digest) -> String { text(digest.bytes) }

    /// The digest that ``text(_:)`` wrote; nil for anything else.
    static func digest(_ text: String) -> Digest? {
        let values = text.utf8.compactMap { digits.firstIndex(of: $0) }
        guard values.count == 2 * Digest.byteCount, text.utf8.count == values.count else {
            return nil
        }
        let bytes = (0..<Digest.byteCount).map { UInt8(values[2 * $0] << 4 | values[2 * $0 + 1]) }
        return Digest(bytes.span.bytes)
    }

    /// Eight lowercase digits.
    static func text(_ value: UInt32) -> String {
        let text = (0..<8).map { digits[Int(value >> (28 - 4 * UInt32($0)) & 0xF)] }
        return String(decoding: text, as: UTF8.self)
    }

    private static let digits = Array("0123456789abcdef".utf8)
}

/// A service's or characteristic's name: 16 or 32 bits for the SIG's, 128 for everybody's
/// (Core 5.4, Vol 3, Part B, 2.5.1).
///
/// A short UUID is kept in its 128-bit form over the Bluetooth base UUID, so that both forms of
/// one name are equal. On the air ATT knows 16 and 128 bits only.
public struct BluetoothUUID: Hashable, Sendable {
    private let high: UInt64
    private let low: UInt64

    /// The low half of the Bluetooth base UUID 00000000-0000-1000-8000-00805F9B34FB.
    private static let baseLow: UInt64 = 0x8000_0080_5F9B_34FB

    /// A 16-bit UUID of the SIG, for example 0x180A.
    public init(_ short: UInt16) {
        high = UInt64(short) << 32 | 0x1000
        low = Self.baseLow
    }

    /// A 128-bit UUID from its two halves, the most significant first.
    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Reads `180A`, `0000180A`, or the 36 characters of `ABDD3056-28FA-441D-A470-55A75A52553A`;
    /// nil for anything else.
    public init?(_ text: String) {
        let bytes = Array(text.utf8)
        let hyphens = bytes.indices.filter { bytes[$0] == UInt8(ascii: "-") }
        let isShort = (bytes.count == 4 || bytes.count == 8) && hyphens.isEmpty
        let isLong = bytes.count == 36 && hyphens == [8, 13, 18, 23]
        guard isShort || isLong else { return nil }
        let digits = bytes.filter { $0 != UInt8(ascii: "-") }
        var halves: (high: UInt64, low: UInt64) = (0, 0)
        for digit in digits {
            guard let value = Character(Unicode.Scalar(digit)).hexDigitValue else { return nil }
            halves.high = halves.high << 4 | halves.low >> 60
            halves.low = halves.low << 4 | UInt64(value)
        }
        if isShort {
            self.init(high: halves.low << 32 | 0x1000, low: Self.baseLow)
        } else {
            self.init(high: halves.high, low: halves.low)
        }
    }

    /// The bytes as they travel, the least significant first: 2 of a 16-bit UUID, else 16
    /// (Core 5.4, Vol 3, Part F, 3.2.1; Core Specification Supplement 11, Part A, 1.1).
    public var bytesOnAir: [UInt8] {
        func bytes(_ value: UInt64, _ count: Int) -> [UInt8] {
            (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * UInt64($0))) }
        }
        if let short { return bytes(UInt64(short), 2) }
        return bytes(low, 8) + bytes(high, 8)
    }

    /// The 16-bit form where there is one.
    public var short: UInt16? {
        guard low == Self.baseLow, high & 0xFFFF_0000_FFFF_FFFF == 0x1000 else { return nil }
        return UInt16(truncatingIfNeeded: high >> 32)
    }
}

extension BluetoothUUID: CustomStringConvertible {
    /// `180A` or the 36 characters, in upper case.
    public var description: String {
        if let short { return Self.hexadecimal(UInt64(short), digits: 4) }
        let text = Self.hexadecimal(high, digits: 16) + Self.hexadecimal(low, digits: 16)
        var grouped = ""
        for (index, character) in text.enumerated() {
            if [8, 12, 16, 20].contains(index) { grouped.append("-") }
            grouped.append(character)
        }
        return grouped
    }

    private static func hexadecimal(_ value: UInt64, digits: Int) -> String {
        let text = String(value, radix: 16, uppercase: true)
        return String(repeating: "0", count: digits - text.count) + text
    }
}

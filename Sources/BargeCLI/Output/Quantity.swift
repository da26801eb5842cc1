/// Numbers with their units, as a person reads them. 1 kB is 1000 bytes.
enum Quantity {
    /// `512 B`, `7.9 kB`, `790 kB`, `4.29 GB`: three digits.
    static func bytes(_ count: UInt64) -> String {
        count < 1_000 ? "\(count) B" : scaled(Double(count)) + "B"
    }

    /// `789972 B (790 kB)`: for sizes that people compare or calculate with.
    static func exactBytes(_ count: UInt64) -> String {
        count < 10_000 ? "\(count) B" : "\(count) B (\(bytes(count)))"
    }

    /// ` 20/790 kB`: a part and the whole in the unit of the whole, always as wide.
    static func bytes(_ part: UInt64, of whole: UInt64) -> String {
        let (factor, digits, prefix) = whole < 1_000 ? (1, 0, "") : scale(Double(whole))
        let texts = [part, whole].map { fixed(Double($0) / factor, digits: digits) }
        return indented(texts[0], to: texts[1].count) + "/\(texts[1]) \(prefix)B"
    }

    /// `93.1 kB/s`.
    static func rate(_ bytesPerSecond: Double) -> String {
        guard bytesPerSecond.isFinite, bytesPerSecond >= 0 else { return "? B/s" }
        let isSmall = bytesPerSecond < 1_000
        return isSmall
            ? "\(Int(bytesPerSecond.rounded())) B/s" : scaled(bytesPerSecond) + "B/s"
    }

    /// `0.4 s`, `12 s`, `3 m 05 s`, `2 h 07 m`, `9 d 04 h`.
    static func time(_ seconds: Double) -> String {
        guard seconds.isFinite, seconds >= 0, seconds < 1e9 else { return "?" }
        if seconds < 9.95 { return "\(fixed(seconds, digits: 1)) s" }
        let whole = Int(seconds.rounded())
        switch whole {
        case ..<60: return "\(whole) s"
        case ..<3_600: return "\(whole / 60) m \(twoDigits(whole % 60)) s"
        case ..<86_400: return "\(whole / 3_600) h \(twoDigits(whole / 60 % 60)) m"
        case _: return "\(whole / 86_400) d \(twoDigits(whole / 3_600 % 24)) h"
        }
    }

    /// `62 %`. Rounded down: 100 % is the end and nothing before it.
    static func percent(_ fraction: Double) -> String {
        guard fraction.isFinite else { return "? %" }
        return "\(Int(min(max(fraction, 0), 9.99) * 100 + 1e-9)) %"
    }

    /// A number with a fixed count of digits behind the point.
    static func fixed(_ value: Double, digits: Int) -> String {
        guard value.isFinite, abs(value) < 1e12 else { return "?" }
        let factor = (0..<digits).reduce(1) { power, _ in power * 10 }
        let scaled = Int((value * Double(factor)).rounded())
        guard digits > 0 else { return String(scaled) }
        let fraction = String(scaled % factor)
        let zeros = String(repeating: "0", count: digits - fraction.count)
        return "\(scaled / factor).\(zeros)\(fraction)"
    }

    /// Three digits and a unit's prefix: `7.90 k`.
    private static func scaled(_ value: Double) -> String {
        let (factor, digits, prefix) = scale(value)
        return "\(fixed(value / factor, digits: digits)) \(prefix)"
    }

    /// What a value of 1000 or more is divided by, and how many digits its fraction then gets.
    private static func scale(_ value: Double) -> (factor: Double, digits: Int, prefix: String) {
        var (factor, prefix) = (1.0, "")
        for next in ["k", "M", "G", "T", "P", "E"] where value / factor >= 999.5 || factor == 1 {
            (factor, prefix) = (factor * 1_000, next)
        }
        let scaled = value / factor
        return (factor, scaled < 9.995 ? 2 : scaled < 99.95 ? 1 : 0, prefix)
    }

    /// Text moved to the right edge of so many columns.
    static func indented(_ text: String, to columns: Int) -> String {
        String(repeating: " ", count: max(0, columns - text.count)) + text
    }

    private static func twoDigits(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
}

extension ValueKind where Value == Int {
    /// A whole number, decimal or with `0x` hexadecimal.
    ///
    /// - Parameter isHexadecimal: whether the range is spelled in hexadecimal in messages.
    static func integer(
        _ range: ClosedRange<Int>, placeholder: String = "N", isHexadecimal: Bool = false
    ) -> Self {
        let spell: (Int) -> String = { value in
            isHexadecimal ? "0x" + String(value, radix: 16, uppercase: true) : String(value)
        }
        let ends = "\(spell(range.lowerBound)) to \(spell(range.upperBound))"
        return ValueKind(
            placeholder: placeholder, expectation: "a whole number from \(ends)"
        ) { text in
            guard let value = wholeNumber(text), range.contains(value) else { return nil }
            return value
        }
    }

    /// A whole number that may be negative, decimal.
    static func signed(_ range: ClosedRange<Int>, placeholder: String) -> Self {
        ValueKind(
            placeholder: placeholder,
            expectation: "a whole number from \(range.lowerBound) to \(range.upperBound)"
        ) { text in
            signedNumber(text).flatMap { range.contains($0) ? $0 : nil }
        }
    }
}

extension ValueKind where Value == Double {
    /// A decimal fraction such as `0.05` or `7.5`.
    static func decimal(_ range: ClosedRange<Double>, placeholder: String = "X") -> Self {
        let ends = "\(shortest(range.lowerBound)) to \(shortest(range.upperBound))"
        return ValueKind(
            placeholder: placeholder, expectation: "a decimal number from \(ends)"
        ) { text in
            guard let value = decimalNumber(text), range.contains(value) else { return nil }
            return value
        }
    }
}

/// The number that digits, or `0x` and hexadecimal digits, stand for.
///
/// `Int.init` alone would take a sign and no prefix.
func wholeNumber(_ text: some StringProtocol) -> Int? {
    if text.hasPrefix("0x") || text.hasPrefix("0X") {
        let digits = text.dropFirst(2)
        return digits.allSatisfy(\.isHexDigit) ? Int(digits, radix: 16) : nil
    }
    return text.utf8.allSatisfy(isDecimalDigit) ? Int(text) : nil
}

/// The number that digits with at most one point between them stand for.
///
/// `Double.init` alone would take `nan`, `inf`, exponents and hexadecimal fractions.
func decimalNumber(_ text: some StringProtocol) -> Double? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count <= 2, parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(isDecimalDigit) })
    else { return nil }
    return Double(String(text))
}

private func isDecimalDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
}

/// `7.5` as "7.5" and `4000` as "4000", since nobody writes "4000.0".
func shortest(_ value: Double) -> String {
    Int(exactly: value).map { String($0) } ?? "\(value)"
}

import Barge

extension ValueKind where Value == FailureLimit {
    /// A number of devices, or with a percent sign a share of all: `3`, `2.5%`.
    static func failureLimit(most: Int) -> Self {
        ValueKind(
            placeholder: "N|P%",
            expectation: "a whole number from 0 to \(most), or a share from 0% to 100%"
        ) { text in
            guard text.hasSuffix("%") else {
                return wholeNumber(text).flatMap { $0 <= most ? .count($0) : nil }
            }
            return decimalNumber(text.dropLast()).flatMap { $0 <= 100 ? .percent($0) : nil }
        }
    }
}

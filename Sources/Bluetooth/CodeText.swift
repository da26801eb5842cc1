extension UInt8 {
    /// The number as the specification's tables write it: `0x0E`.
    var codeText: String {
        let digits = String(self, radix: 16, uppercase: true)
        return digits.count == 1 ? "0x0\(digits)" : "0x\(digits)"
    }
}

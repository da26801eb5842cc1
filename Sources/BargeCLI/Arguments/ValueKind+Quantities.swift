extension ValueKind where Value == Int {
    /// A size in bytes: `4096`, `64KiB`, `1M`.
    ///
    /// K, M, G and KiB, MiB, GiB are powers of 1024; kB, MB, GB are powers of 1000. Case is free.
    static func byteCount(_ range: ClosedRange<Int>) -> Self {
        let ends = "\(binarySize(range.lowerBound)) to \(binarySize(range.upperBound))"
        let example = range.contains(1 << 20) ? "1MiB" : "4KiB"
        return ValueKind(
            placeholder: "SIZE", expectation: "a size from \(ends), such as 4096 or \(example)"
        ) { text in
            guard let size = sizeInBytes(of: text), range.contains(size) else { return nil }
            return size
        }
    }
}

extension ValueKind where Value == Duration {
    /// A time: `500ms`, `5s`, `2m`, `1h`; a number alone counts seconds.
    static func duration(_ range: ClosedRange<Duration>) -> Self {
        let ends = "\(shortTime(range.lowerBound)) to \(shortTime(range.upperBound))"
        let examples = range.contains(.milliseconds(500)) ? "500ms, 5s or 2m" : "5s or 2m"
        return ValueKind(
            placeholder: "TIME", expectation: "a time from \(ends), such as \(examples)"
        ) { text in
            guard let time = timeSpan(of: text), range.contains(time) else { return nil }
            return time
        }
    }
}

/// Units of size, each name once, in lower case.
private let bytesPerUnit: [String: Int] = [
    "": 1, "b": 1,
    "k": 1 << 10, "kib": 1 << 10, "m": 1 << 20, "mib": 1 << 20, "g": 1 << 30, "gib": 1 << 30,
    "kb": 1_000, "mb": 1_000_000, "gb": 1_000_000_000,
]

private let millisecondsPerUnit: [String: Double] = [
    "ms": 1, "": 1_000, "s": 1_000, "m": 60_000, "min": 60_000, "h": 3_600_000,
]

private func sizeInBytes(of text: String) -> Int? {
    let (number, unit) = split(text)
    guard let count = wholeNumber(number), let factor = bytesPerUnit[unit.lowercased()] else {
        return nil
    }
    let (size, overflows) = count.multipliedReportingOverflow(by: factor)
    return overflows ? nil : size
}

private func timeSpan(of text: String) -> Duration? {
    let (number, unit) = split(text)
    guard let count = decimalNumber(number), let factor = millisecondsPerUnit[String(unit)] else {
        return nil
    }
    let milliseconds = (count * factor).rounded()
    return milliseconds < 1e15 ? .milliseconds(Int64(milliseconds)) : nil
}

/// Digits and point in front, the unit behind them.
private func split(_ text: String) -> (number: Substring, unit: Substring) {
    let number = text.prefix { $0.isNumber || $0 == "." }
    return (number, text.dropFirst(number.count))
}

/// A size in the largest binary unit that divides it: `64KiB`.
private func binarySize(_ size: Int) -> String {
    let units = [(1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")]
    guard size > 0, let unit = units.first(where: { size % $0.0 == 0 }) else {
        return String(size)
    }
    return "\(size / unit.0)\(unit.1)"
}

/// A time in the largest unit that divides it: `2m`.
private func shortTime(_ time: Duration) -> String {
    let milliseconds = time / .milliseconds(1)
    let units = [(3_600_000.0, "h"), (60_000, "m"), (1_000, "s")]
    let unit = units.first { (milliseconds / $0.0).rounded() * $0.0 == milliseconds }
    let (length, name) = unit ?? (1, "ms")
    return "\(Int(milliseconds / length))\(milliseconds > 0 ? name : "s")"
}

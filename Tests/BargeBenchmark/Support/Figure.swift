/// One row of the table: what was to be reached, and what was.
struct Figure {
    /// What was measured.
    let what: String
    /// What README promises.
    let goal: String
    /// What came out.
    let measured: String
    /// Whether the promise is kept; nil where nothing is promised.
    let isMet: Bool?
}

/// One row's worth of measuring, or several rows that belong together.
struct Measurement {
    /// How `--only` calls it.
    let name: String
    /// Measures, and says what came out.
    let run: (Settings) async throws -> [Figure]
}

/// What the command line asked for.
struct Settings {
    var isJSON = false
    /// The longest runs too.
    var isFull = false
    /// Only the measurement of this name.
    var only: String?
}

/// Something that a measurement rests on is not there, or not as it should be.
struct BrokenMeasurement: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}

extension Double {
    /// The number with so many digits behind the point.
    func text(_ digits: Int) -> String {
        let sign = self < 0 ? "-" : ""
        var scale: UInt64 = 1
        for _ in 0..<digits { scale *= 10 }
        let scaled = UInt64((magnitude * Double(scale)).rounded())
        guard digits > 0 else { return "\(sign)\(scaled)" }
        let fraction = String(scaled % scale)
        let zeros = String(repeating: "0", count: digits - fraction.count)
        return "\(sign)\(scaled / scale).\(zeros)\(fraction)"
    }

    /// The number as a share of one.
    var percent: String { "\((self * 100).text(2)) %" }
}

/// Seconds of this computer's time that `body` took, and what it returned.
func timed<Value>(_ body: () async throws -> Value) async rethrows -> (seconds: Double, Value) {
    let start = ContinuousClock.now
    let value = try await body()
    return ((ContinuousClock.now - start).seconds, value)
}

extension Duration {
    /// As a number of seconds.
    var seconds: Double {
        Double(components.seconds) + Double(components.attoseconds) / 1e18
    }
}

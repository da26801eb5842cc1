/// A set of program units, by number: one bit each, worked on a word at a time.
struct UnitSet: Sendable {
    private var words: [UInt64]

    /// An empty set for units 0 ..< `count`.
    init(count: Int) {
        words = [UInt64](repeating: 0, count: (count + 63) / 64)
    }

    /// Adds every unit of `range`.
    mutating func insert(_ range: Range<Int>) {
        Self.forEachWord(of: range) { words[$0] |= $1 }
    }

    /// Takes every unit of `range` out.
    mutating func remove(_ range: Range<Int>) {
        Self.forEachWord(of: range) { words[$0] &= ~$1 }
    }

    /// The lowest unit of `range` that is in the set.
    func first(in range: Range<Int>) -> Int? {
        var found: Int?
        Self.forEachWord(of: range) { index, mask in
            let hits = words[index] & mask
            if found == nil, hits != 0 { found = index * 64 + hits.trailingZeroBitCount }
        }
        return found
    }

    private static func forEachWord(of range: Range<Int>, _ body: (Int, UInt64) -> Void) {
        guard !range.isEmpty else { return }
        let last = range.upperBound - 1
        for index in range.lowerBound / 64...last / 64 {
            let low = max(range.lowerBound, index * 64) - index * 64
            let high = min(last, index * 64 + 63) - index * 64
            body(index, (~0 << UInt64(low)) & (~0 >> UInt64(63 - high)))
        }
    }
}

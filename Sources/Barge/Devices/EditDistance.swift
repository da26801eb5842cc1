/// How far two words are from each other.
public enum EditDistance {
    /// How many letters must be inserted, dropped, replaced or swapped with their neighbor.
    ///
    /// This is the optimal string alignment distance (Damerau 1964, without repeated edits).
    public static func between(_ from: String, _ to: String) -> Int {
        let (a, b) = (Array(from), Array(to))
        var older: [Int] = []
        var previous = Array(0...b.count)
        for i in a.indices {
            var row = [i + 1]
            for j in b.indices {
                let replaced = previous[j] + (a[i] == b[j] ? 0 : 1)
                var distance = min(previous[j + 1] + 1, row[j] + 1, replaced)
                if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
                    distance = min(distance, older[j - 1] + 1)
                }
                row.append(distance)
            }
            (older, previous) = (previous, row)
        }
        return previous[b.count]
    }

    /// The most edits at which one word may still be meant by another: one in three letters, and
    /// never more than three.
    public static func mostSlips(in word: String) -> Int { min(3, max(1, word.count / 3)) }
}

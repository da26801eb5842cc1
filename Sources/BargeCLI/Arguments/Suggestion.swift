/// The candidate that a mistyped word most likely meant, if one is near enough.
///
/// Near enough is one slip in three letters, and never more than three.
func nearest(to word: String, among candidates: [String]) -> String? {
    let slips = min(3, max(1, word.count / 3))
    let ranked = candidates.map { (name: $0, distance: editDistance(word, $0)) }
    let best = ranked.min { $0.distance < $1.distance }
    if let best, best.distance <= slips { return best.name }
    let longer = candidates.filter { word.count >= 2 && $0.hasPrefix(word) }
    return longer.count == 1 ? longer.first : nil
}

/// How many letters must be inserted, dropped, replaced or swapped with their neighbor.
///
/// This is the optimal string alignment distance (Damerau 1964, without repeated edits).
func editDistance(_ from: String, _ to: String) -> Int {
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

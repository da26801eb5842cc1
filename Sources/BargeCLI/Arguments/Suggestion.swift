import Barge

/// The candidate that a mistyped word most likely meant, if one is near enough.
func nearest(to word: String, among candidates: [String]) -> String? {
    let slips = EditDistance.mostSlips(in: word)
    let ranked = candidates.map { (name: $0, distance: EditDistance.between(word, $0)) }
    let best = ranked.min { $0.distance < $1.distance }
    if let best, best.distance <= slips { return best.name }
    let longer = candidates.filter { word.count >= 2 && $0.hasPrefix(word) }
    return longer.count == 1 ? longer.first : nil
}

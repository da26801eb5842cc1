import Barge
import Testing

@Suite("Edit distance")
struct EditDistanceTests {
    /// Distances worked out by hand.
    @Test(
        "The distance counts insertions, deletions, replacements and swaps",
        arguments: [
            ("", "", 0), ("abc", "", 3), ("", "abc", 3), ("abc", "abc", 0), ("abc", "abd", 1),
            ("flash", "flsah", 1), ("kitten", "sitting", 3), ("ab", "ba", 1),
        ])
    func distances(from: String, to: String, expected: Int) {
        #expect(EditDistance.between(from, to) == expected)
    }
}

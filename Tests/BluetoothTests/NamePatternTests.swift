import Bluetooth
import Testing

@Suite("Patterns for names")
struct NamePatternTests {
    @Test(
        "A star stands for any text, a question mark for one character",
        arguments: [
            ("Pump*", "Pump 7", true), ("Pump*", "Pump", true), ("Pump*", "My Pump", false),
            ("*ump*", "Pump 7", true), ("P?mp", "Pömp", true), ("P?mp", "Pmp", false),
            ("", "", true), ("", "a", false), ("*", "", true), ("?", "", false),
            ("a*b*c", "a-b-b-c", true), ("a*b*c", "a-c-b", false), ("**", "x", true),
        ])
    func cases(pattern: String, name: String, expected: Bool) {
        #expect(NamePattern(pattern).matches(name) == expected)
    }

    @Test("An exact name stands for itself, stars and all")
    func exact() {
        #expect(NamePattern.exactly("a*").matches("a*"))
        #expect(!NamePattern.exactly("a*").matches("ab"))
    }

    @Test("A pattern of many stars takes no time to fail")
    func many() {
        let pattern = NamePattern(String(repeating: "*a", count: 60) + "b")
        #expect(!pattern.matches(String(repeating: "a", count: 248)))
    }
}

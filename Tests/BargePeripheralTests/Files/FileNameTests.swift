import BargePeripheral
import Testing

@Suite("Names of files")
struct FileNameTests {
    @Test(
        "Names that lead nowhere else are taken as they are",
        arguments: [
            "a", "log.txt", "...", "..a", " ", "Ünïcödé 日本語 🚢", "-rf",
            String(repeating: "x", count: 255),
        ])
    func good(text: String) throws {
        #expect(try FileName(text).text == text)
    }

    @Test("Each rule is named when it is broken")
    func bad() {
        let cases: [([UInt8], FileNameError)] = [
            ([], .empty),
            (Array(String(repeating: "x", count: 256).utf8), .tooLong(256)),
            ([0x61, 0xFF], .notUTF8),
            ([0xC0, 0xAF], .notUTF8),
            ([0xED, 0xA0, 0x80], .notUTF8),
            (Array("a/b".utf8), .slash),
            (Array("/".utf8), .slash),
            (Array("../x".utf8), .slash),
            ([0x61, 0x00], .controlCharacter),
            (Array("a\nb".utf8), .controlCharacter),
            (Array("\u{1B}[2J".utf8), .controlCharacter),
            (Array("\u{7F}".utf8), .controlCharacter),
            (Array("\u{85}".utf8), .controlCharacter),
            (Array(".".utf8), .dots),
            (Array("..".utf8), .dots),
            (Array(".barge-partial".utf8), .reserved),
            (Array(".Barge-Partial".utf8), .reserved),
        ]
        for (bytes, error) in cases {
            #expect(throws: error) { try FileName(bytes) }
            #expect(!error.description.hasSuffix("."))
        }
    }

    @Test("Two spellings of one letter are two names, in the order of their bytes")
    func spellings() throws {
        let composed = try FileName("\u{E9}")
        let decomposed = try FileName("e\u{301}")
        #expect(composed != decomposed)
        #expect(decomposed < composed)
        #expect(Set([composed, decomposed]).count == 2)
    }
}

import BargeProtocol
import Testing

@Suite("Names of files (BTP-080)")
struct FileNameTests {
    @Test("A name has 1 to 255 bytes")
    func lengths() {
        #expect(!Name().isValidFileName)
        #expect(Name(text: "a").isValidFileName)
        #expect(Name(bytes: [UInt8](repeating: 0x61, count: 255)).isValidFileName)
    }

    @Test("`.` and `..` are no names, but what begins with them is")
    func dots() {
        #expect(!Name(text: ".").isValidFileName)
        #expect(!Name(text: "..").isValidFileName)
        for text in ["...", ".a", "..a", "a.", "a..", ".. "] {
            #expect(Name(text: text).isValidFileName, "\(text)")
        }
    }

    @Test("A slash is refused anywhere; a backslash is a letter like others")
    func slashes() {
        for text in ["/", "/a", "a/", "../a", "a/../b"] {
            #expect(!Name(text: text).isValidFileName, "\(text)")
        }
        #expect(Name(text: "a\\b").isValidFileName)
    }

    @Test("Control characters are refused, and their neighbors are not")
    func controlCharacters() {
        for scalar in [0x00, 0x01, 0x0A, 0x1F, 0x7F, 0x80, 0x85, 0x9F] as [UInt32] {
            #expect(!name(scalar).isValidFileName, "U+\(String(scalar, radix: 16))")
        }
        for scalar in [0x20, 0x7E, 0xA0, 0xFFFD, 0x10FFFF] as [UInt32] {
            #expect(name(scalar).isValidFileName, "U+\(String(scalar, radix: 16))")
        }
    }

    private func name(_ scalar: UInt32) -> Name {
        guard let scalar = Unicode.Scalar(scalar) else { preconditionFailure("no scalar") }
        return Name(text: "a" + String(Character(scalar)))
    }

    /// The judge is Python 3.11: `bytes.fromhex(…).decode()` on each of these. They are the edges
    /// of the table in RFC 3629, section 4.
    @Test(
        "What is UTF-8 by Python's decoder is a name",
        arguments: ["dfbf", "e0a080", "ed9fbf", "ee8080", "efbfbf", "f0908080", "f48fbfbf", "c2a0"])
    func validSequences(_ hex: String) {
        #expect(Name(bytes: bytes(hex: hex)).isValidFileName)
        #expect(Name(bytes: bytes(hex: "61" + hex + "62")).isValidFileName)
    }

    @Test(
        "What is not UTF-8 by Python's decoder is no name",
        arguments: [
            "c080", "c1bf", "e09fbf", "eda080", "edbfbf", "f08fbfbf", "f4908080", "f5808080",
            "f888808080", "80", "bf", "c3", "e282", "f09f98", "ff", "c328", "e228a1",
        ])
    func invalidSequences(_ hex: String) {
        #expect(!Name(bytes: bytes(hex: hex)).isValidFileName)
        #expect(!Name(bytes: bytes(hex: hex + "61")).isValidFileName)
    }

    @Test("A random name is judged as the standard library's decoder judges it")
    func againstTheStandardLibrary() {
        var random = SplitMix64(seed: 0x0380)
        for _ in 0..<20_000 {
            // Bytes from the edges of UTF-8 make longer sequences likely.
            let edges: [UInt8] = [
                0x41, 0x80, 0x9F, 0xA0, 0xBF, 0xC2, 0xDF, 0xE0, 0xE1, 0xED, 0xEF, 0xF0, 0xF1, 0xF4,
                0xF5,
            ]
            let count = Int.random(in: 1...6, using: &random)
            let name = (0..<count).map { _ in edges[Int(random.next() % 15)] }
            let scalars = String(validating: name, as: UTF8.self)?.unicodeScalars
            let expected = scalars?.allSatisfy { !(0x7F...0x9F).contains($0.value) } ?? false
            #expect(Name(bytes: name).isValidFileName == expected, "\(name)")
        }
    }
}

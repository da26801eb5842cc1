import Testing

@testable import Barge

@Suite("A device's alias")
struct DeviceAliasTests {
    @Test(
        "Letters, digits, - _ . and inner spaces make an alias",
        arguments: [
            "a", "bench-3", "Kitchen sensor", "v1.2_b", "Küche", "溫度計", "7",
            "ku\u{308}che", String(repeating: "x", count: 64), "sim", "C0-FF-EE-00-12-34",
        ])
    func good(text: String) throws {
        #expect(try DeviceAlias(text).text == text)
    }

    @Test(
        "Anything else is refused, and the reason is named",
        arguments: [
            ("", .empty), (String(repeating: "x", count: 65), .tooLong),
            ("a" + String(repeating: "\u{308}", count: 128), .tooLong),
            ("sim:demo", .likeSimulated), ("SIM:x", .likeSimulated),
            ("C0:FF:EE:00:12:34", .likeAddress), ("c0:ff:ee:00:12:34", .likeAddress),
            (" a", .spaceAtEdge), ("a ", .spaceAtEdge), (" ", .spaceAtEdge),
            ("a/b", .character("/")), ("a:b", .character(":")), ("a\nb", .character("\n")),
            ("a\tb", .character("\t")), ("a\0", .character("\0")),
            ("a\u{200B}b", .character("\u{200B}")), ("a\u{1B}[31m", .character("\u{1B}")),
            ("\u{202E}ab", .character("\u{202E}")),
        ] as [(String, DeviceAlias.Fault)])
    func bad(text: String, fault: DeviceAlias.Fault) {
        #expect(throws: fault) { try DeviceAlias(text) }
        #expect(!fault.reason.isEmpty)
    }

    @Test("Upper and lower case are the same, and so are both spellings of an accent")
    func matches() throws {
        let alias = try DeviceAlias("Küche")
        #expect(alias.matches("kÜCHE"))
        #expect(alias.matches("ku\u{308}che"))
        #expect(!alias.matches("Kuche"))
    }
}

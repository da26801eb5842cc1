import Testing

@Suite("The arrows between the rooms")
struct ImportArrowTests {
    @Test("Every product file imports only what its room's arrows lead to")
    func arrowsHold() throws {
        try House.swiftFiles(in: "Sources").flatMap(ImportArrows.findings).record()
    }

    @Test("The core imports nothing, not even the C library", arguments: ["Glibc", "Bluetooth"])
    func coreImportsNothing(module: String) {
        let file = SourceFile(
            path: "Sources/BargeProtocol/X.swift", text: "// head\nimport \(module)")
        #expect(
            ImportArrows.findings(in: file) == [
                Finding(
                    path: file.path, line: 2,
                    message: "BargeProtocol imports \(module), but its arrows lead only to: nothing"
                )
            ])
    }

    @Test(
        "An import against the arrows is found, however it is spelled",
        arguments: [
            "import BargePeripheral", "public import BargePeripheral",
            "@testable import BargePeripheral", "@_exported public import BargePeripheral",
            "import struct BargePeripheral.Slot", "    import BargePeripheral // why",
        ])
    func forbiddenImport(line: String) {
        let file = SourceFile(path: "Sources/Barge/X.swift", text: line)
        #expect(ImportArrows.findings(in: file).count == 1)
    }

    @Test("An import along an arrow is fine, and so is the word in a comment or a string")
    func allowedImport() {
        let text = "import Bluetooth\nimport CCrypto\n// import Nowhere\nlet a = \"import Nowhere\""
        let file = SourceFile(path: "Sources/Barge/X.swift", text: text)
        #expect(ImportArrows.findings(in: file).isEmpty)
    }

    @Test("Foundation in product code asks for a reason")
    func foundation() {
        let file = SourceFile(path: "Sources/BargeCLI/X.swift", text: "import Foundation")
        #expect(ImportArrows.findings(in: file).first?.message.contains("reason") == true)
    }

    @Test("A target that the design does not draw is found")
    func unknownRoom() {
        let file = SourceFile(path: "Sources/Attic/X.swift", text: "")
        #expect(ImportArrows.findings(in: file).count == 1)
    }

    @Test("Every file of the Linux backend is guarded, and an unguarded one is found")
    func linuxGuard() throws {
        try House.swiftFiles(in: "Sources").flatMap(LinuxGuard.findings).record()
        let path = "Sources/BluetoothLinux/X.swift"
        let bare = SourceFile(path: path, text: "// head\nimport Glibc\n#if os(Linux)\n#endif")
        #expect(LinuxGuard.findings(in: bare).map(\.line) == [2])
        let guarded = SourceFile(path: path, text: "// head\n\n#if os(Linux)\nimport Glibc\n#endif")
        #expect(LinuxGuard.findings(in: guarded).isEmpty)
    }
}

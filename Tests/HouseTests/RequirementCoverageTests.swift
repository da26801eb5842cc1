import Foundation
import Testing

/// Runs `scripts/list-untested-requirements` on small documents.
@Suite("The list of untested requirements")
struct RequirementCoverageTests {
    private let folder = FileManager.default.temporaryDirectory
        .appending(path: "barge-requirements-\(UUID().uuidString)")

    @Test(
        "A number without a test, a test without a number and a doubled number are found",
        arguments: [
            (
                "**BTP-001** A.\n- **BTP-002** B, as **BTP-007** says.", "BTP-001 BTP-002", 0,
                "all 2"
            ),
            ("**BTP-001** A.\n1. **BTP-002** B.", "BTP-001", 1, "BTP-002"),
            ("**BTP-001** A.\n**BTP-001** B.", "BTP-001", 1, "twice"),
            ("**BTP-001** A.", "BTP-001, BTP-003", 1, "BTP-003"),
            ("See **BTP-001**.", "BTP-001", 1, "no line that starts with"),
        ])
    func verdict(document: String, test: String, status: Int32, says: String) throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let tests = folder.appending(path: "Tests/XTests")
        try FileManager.default.createDirectory(at: tests, withIntermediateDirectories: true)
        let page = folder.appending(path: "Protocol.md")
        try Data(document.utf8).write(to: page)
        try Data("@Test(\"\(test)\")".utf8).write(to: tests.appending(path: "X.swift"))

        let (code, output) = try run(page.path(), folder.appending(path: "Tests").path())
        #expect(code == status)
        #expect(output.contains(says), "\(output)")
    }

    private func run(_ arguments: String...) throws -> (status: Int32, output: String) {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = House.root.appending(path: "scripts/list-untested-requirements")
        process.arguments = arguments
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: output, as: UTF8.self))
    }
}

import Foundation
import Testing

@Suite("Where things lie")
struct LayoutTests {
    /// Everything that is the project's own, beside dot files at the top.
    private static func allPaths() throws -> [String] {
        try House.paths(in: ["Sources", "Tests", "images", "scripts", ".ci"])
            + ["Package.swift", "README.md", "LICENSE"]
    }

    @Test("The top level is the one that the design draws")
    func topLevel() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: House.root.path())
        Layout.findings(topLevel: names).record()
    }

    @Test("A stray folder and a missing one are found")
    func topLevelCanFail() {
        let names = House.topLevel.subtracting(["README.md"]).union(["docs", ".hidden"])
        #expect(Layout.findings(topLevel: Array(names)).map(\.path) == ["docs", "README.md"])
    }

    @Test("Every name says something, and none differs from another only in case")
    func names() throws {
        let paths = try Self.allPaths()
        PathNames.emptyNameFindings(in: paths).record()
        PathNames.caseFindings(in: paths).record()
    }

    @Test(
        "A name without an idea is found; the field's own terms are not",
        arguments: [
            ("Sources/Barge/StringUtils.swift", true),
            ("Sources/Barge/Helpers/X.swift", true),
            ("Sources/Barge/TransferManager.swift", true),
            ("Tests/BargeTests/Common.swift", true),
            ("Sources/Bluetooth/SecurityManager.swift", false),
            ("Sources/Barge/Upload.swift", false),
        ])
    func emptyNames(path: String, isFound: Bool) {
        #expect(PathNames.emptyNameFindings(in: [path]).isEmpty == !isFound)
    }

    @Test("Names that differ only in case are found, for files and for folders")
    func caseCanFail() {
        let files = ["Sources/A/Frame.swift", "Sources/A/frame.swift"]
        #expect(PathNames.caseFindings(in: files).map(\.path) == ["Sources/A/frame.swift"])
        let folders = ["Sources/A/X.swift", "Sources/a/Y.swift"]
        #expect(PathNames.caseFindings(in: folders).map(\.path) == ["Sources/a/Y.swift"])
        #expect(PathNames.caseFindings(in: ["Sources/A/X.swift", "Tests/a/x.swift"]).isEmpty)
    }

    @Test("No file names a place on the machine it was written on")
    func foreignPlaces() throws {
        for path in try Self.allPaths() {
            let bytes = try Data(contentsOf: House.root.appending(path: path))
            ForeignPlaces.findings(in: bytes, path: path).record()
        }
    }

    @Test("Such a place is found, in text and among other bytes", arguments: ["work", "root"])
    func foreignPlacesCanFail(folder: String) {
        let bytes = Data([0, 10, 255]) + Data("-I/\(folder)/x".utf8)
        #expect(ForeignPlaces.findings(in: bytes, path: "x").map(\.line) == [2])
        #expect(ForeignPlaces.findings(in: Data("/\(folder)s/x".utf8), path: "x").isEmpty)
    }
}

import Testing

@Suite("How long things may be")
struct LengthTests {
    @Test("No file, line or function of ours is too long")
    func housePasses() throws {
        let package = try House.read("Package.swift")
        for file in try House.swiftFiles(in: "Sources", "Tests") + [package] {
            Lengths.fileFindings(in: file).record()
            Lengths.lineFindings(in: file).record()
            Lengths.functionFindings(in: file).record()
        }
        for path in try House.paths(in: ["scripts"]) + [".ci/run"] {
            try Lengths.lineFindings(in: House.read(path)).record()
        }
    }

    @Test("A file of 500 lines passes, one of 501 is found")
    func fileBoundary() {
        let line = "let a = 1\n"
        let fits = SourceFile(path: "X.swift", text: String(repeating: line, count: 500))
        let long = SourceFile(path: "X.swift", text: String(repeating: line, count: 501))
        #expect(Lengths.fileFindings(in: fits).isEmpty)
        #expect(Lengths.fileFindings(in: long).first?.message.hasPrefix("501 lines") == true)
    }

    @Test("A line of 100 columns passes, one of 101 is found, a URL may be longer")
    func lineBoundary() {
        let fits = String(repeating: "é", count: 100)
        let url = "// https://example.org/" + fits
        let file = SourceFile(
            path: "X.swift", text: [fits, fits + "x", url].joined(separator: "\n"))
        #expect(Lengths.lineFindings(in: file).map(\.line) == [2])
    }

    @Test("A body of 70 lines passes, one of 71 is found at its first line")
    func functionBoundary() {
        func source(_ count: Int) -> SourceFile {
            let body = String(repeating: "    a()\n", count: count)
            return SourceFile(path: "X.swift", text: "struct S {\nfunc f() {\n\(body)}\n}\n")
        }
        #expect(Lengths.functionFindings(in: source(70)).isEmpty)
        #expect(Lengths.functionFindings(in: source(71)).map(\.line) == [2])
    }

    @Test(
        "Bodies are measured, types are looked into",
        arguments: [
            ("func f() {\na\n}", [1]),
            ("struct S {\nfunc f() {\na\n}\ninit() {\na\nb\n}\n}", [1, 2]),
            ("extension S where T: P {\nvar x: Int {\nget {\na\n}\n}\n}", [3]),
            ("class C {\nclass func f() {\na\n}\n}", [1]),
            ("@Suite(\"x\") public final class C: D {\nfunc f() {}\n}", [0]),
            ("struct S {\nlet x = 1\nstatic let y = {\na\n}()\n}", [1]),
            ("protocol P {\nfunc f()\nvar x: Int { get }\n}", [0]),
            ("func f(_ a: () -> Void = { a }) {\nb\n}", [0, 1]),
            ("enum E {\ncase class_, struct_\nindirect case x(Int)\ninit?() {\na\n}\n}", [1]),
            ("@main actor A {\nfunc f() {\nstruct S {\nfunc g() {\n}\n}\n}\n}", [4]),
            ("if a {\nb\n} else {\nc\nd\n}", [1, 2]),
        ])
    func measures(source: String, counts: [Int]) {
        #expect(FunctionBodies.measure(CodeMask.codeOnly(source)).map(\.lineCount) == counts)
    }
}

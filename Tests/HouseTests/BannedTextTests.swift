import Testing

@Suite("What product code does not say")
struct BannedTextTests {
    @Test("No product file says what it should not")
    func housePasses() throws {
        try House.swiftFiles(in: "Sources").flatMap(BannedText.findings).record()
    }

    /// A target, a line that it must not hold, and words of the message.
    private static let samples = [
        ("Barge", "let x = try! f()", "handle the error"),
        ("Barge", "let x = y as! Int", "as?"),
        ("BluetoothLinux", "fatalError(\"no\")", "precondition"),
        ("Barge", "    print(x)", "the caller can print"),
        ("Barge", "// FIXME later", "an issue"),
        ("BargeCLI", "/// TODO: more", "an issue"),
        ("BargeProtocol", "let now = Date()", "time that the caller"),
        ("BluetoothSimulation", "let now = Date.now", "time that the caller"),
        ("Bluetooth", "let clock = ContinuousClock()", "time that the caller"),
        ("Bluetooth", "let clock: SuspendingClock", "time that the caller"),
        ("BluetoothSimulation", "Int.random(in: 0..<3)", "seeded"),
        ("BluetoothSimulation", "list.randomElement()", "seeded"),
        ("BluetoothSimulation", "list.shuffled()", "seeded"),
        ("Bluetooth", "var r = SystemRandomNumberGenerator()", "seeded"),
    ]

    @Test("Each rule finds what it is for, and names the replacement", arguments: samples)
    func finds(target: String, line: String, replacement: String) {
        let file = SourceFile(path: "Sources/\(target)/X.swift", text: "\n" + line)
        let findings = BannedText.findings(in: file)
        #expect(findings.map(\.line) == [2])
        #expect(findings.first?.message.contains(replacement) == true)
    }

    @Test("Every rule has a sample above")
    func everyRuleIsTried() {
        for rule in BannedText.rules {
            #expect(Self.samples.contains { $0.1.contains(rule.text) }, "\(rule.text)")
        }
    }

    @Test(
        "What only looks like it is left alone",
        arguments: [
            ("Barge", "// print(x) would be wrong here"),
            ("Barge", "let message = \"try! print(x)\""),
            ("Barge", "blueprint(x); log.print(x)"),
            ("Barge", "let x = y as? Int"),
            ("BargeCLI", "print(x)"),
            ("BluetoothSimulation", "Int.random(in: 0..<3, using: &generator)"),
            ("BluetoothSimulation", "let clock = ContinuousClock()"),
            ("Barge", "let now = Date()"),
        ])
    func leavesAlone(target: String, line: String) {
        let file = SourceFile(path: "Sources/\(target)/X.swift", text: line)
        #expect(BannedText.findings(in: file).isEmpty)
    }

    @Test("Tests may say anything")
    func testsAreFree() {
        let file = SourceFile(path: "Tests/BargeTests/X.swift", text: "try! print(Date())")
        #expect(BannedText.findings(in: file).isEmpty)
    }
}

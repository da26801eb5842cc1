import Barge
import Testing

@testable import BargeCLI

@Suite("A run over many devices, as it is shown")
struct FleetTableTests {
    private static let result = TransferResult(
        outcome: .installed, bytes: 65_536, sentBytes: 40_000, resumedFrom: 0,
        route: RouteChoice(route: .coc, psm: 0x80), sha256: "ab", seconds: 12)
    private static let failure = Failure(
        .linkLost, "link-lost", what: "the link was lost", why: "out of range", advice: "go near")

    /// Four devices: one installed, one that had it, one that fails, one that never starts.
    private func run(_ table: FleetTable) {
        for device in ["sim:a", "sim:b", "sim:c"] { table.began(device) }
        table.report(.scanning, of: "sim:a")
        table.report(
            .route(RouteChoice(route: .coc, psm: 0x80, serial: "S-1")), of: "sim:a")
        table.report(
            .progress(
                ReportedProgress(bytes: 100, totalBytes: 200, sentBytes: 150, seconds: 1)),
            of: "sim:c")
        table.report(.finished(Self.result), of: "sim:a")
        table.succeeded("sim:a", Self.result)
        var unchanged = Self.result
        unchanged.outcome = .alreadyInstalled
        unchanged.sentBytes = 0
        table.succeeded("sim:b", unchanged)
        table.retries("sim:c", after: Self.lost, pauseSeconds: 2)
        table.failed("sim:c", Self.failure)
        table.wasNotDone("sim:d", .tooManyFailures)
        table.ended(exitCode: .linkLost, halt: .tooManyFailures)
    }

    private static let lost = BargeError(
        .linkLost, "link-lost", what: "The link was lost", why: "out of range", advice: "Go near")

    @Test("Without a terminal there is a line for each device that ends, and the sums")
    func plain() {
        let console = RecordingConsole()
        run(FleetTable(console: console.console, total: 4) { 12 })
        #expect(
            console.output == """
                ok sim:a installed, 65.5 kB in 12 s
                ok sim:b already runs, nothing sent
                4 devices: 1 done, 1 done before, 1 failed, \
                1 not done (too many failures), in 12 s

                """)
        #expect(
            console.errors == """
                FAILED sim:c: the link was lost: out of range
                1 failed with link-lost; try: go near

                """)
    }

    @Test("With --json every object tells its device, and the last one the sums")
    func json() {
        var settings = Console.Settings()
        settings.json = true
        let console = RecordingConsole(settings)
        run(FleetTable(console: console.console, total: 4) { 12 })
        let lines = console.output.split(separator: "\n")
        let heads = lines.map { $0.split(separator: ",").prefix(2).joined(separator: ",") }
        #expect(
            heads == [
                #"{"event":"scanning","device":"sim:a"}"#, #"{"event":"route","device":"sim:a""#,
                #"{"event":"progress","device":"sim:c""#, #"{"event":"finished","device":"sim:a""#,
                #"{"event":"failed","device":"sim:c""#,
                #"{"event":"device-not-done","device":"sim:d""#, #"{"event":"fleet","device":null"#,
            ])
        #expect(
            lines.last.map { String($0) }
                == #"{"event":"fleet","device":null,"total":4,"succeeded":1,"failed":1,"#
                + #""unchanged":1,"notDone":1,"seconds":12.0,"exitCode":8}"#)
    }

    @Test("What came of each device is kept for the report, in the order that is asked for")
    func results() {
        let table = FleetTable(console: RecordingConsole().console, total: 4) { 12 }
        run(table)
        let results = table.results(of: ["sim:d", "sim:c", "sim:b", "sim:a", "sim:x"])
        #expect(results.map(\.device) == ["sim:d", "sim:c", "sim:b", "sim:a"])
        #expect(results.map(\.attempts) == [0, 2, 1, 1])
        #expect(results.map(\.bytes) == [nil, 100, 65_536, 65_536])
        #expect(results.map(\.sentBytes) == [nil, 150, 0, 40_000])
        #expect(results.map(\.serial) == [nil, nil, nil, "S-1"])
        #expect(results.map(\.seconds) == [nil, 0, 0, 0])
        #expect(
            results.map(\.outcome.word) == [
                "not-done", "failed", "already-installed", "installed",
            ])
    }

    @Test("On a terminal the table moves below the lines that stay, and is gone at the end")
    func terminal() {
        var settings = Console.Settings()
        settings.movesProgress = true
        let console = RecordingConsole(settings, columns: 80, rows: 24)
        run(FleetTable(console: console.console, total: 4) { 12 })
        #expect(console.errors.contains("sim:c  looking"))
        #expect(console.errors.contains("1 of 4 done, 2 under way"))
        #expect(console.errors.hasSuffix("\u{1B}[K1 failed with link-lost; try: go near\n"))
        #expect(console.output.hasPrefix("ok sim:a installed"))
    }

    @Test("Quiet leaves the failures, and what to do about them")
    func quiet() {
        var settings = Console.Settings()
        settings.isQuiet = true
        settings.movesProgress = true
        let console = RecordingConsole(settings, columns: 80, rows: 24)
        run(FleetTable(console: console.console, total: 4) { 12 })
        #expect(console.output.isEmpty)
        #expect(console.errors.split(separator: "\n").count == 2)
    }

    @Test("The events of many devices have the documented fields, of the documented types")
    func conformance() throws {
        let end = FleetEnd(summary: FleetSummary(), seconds: 1, exitCode: .done)
        let samples =
            [FleetEventSchema.fleet.json(end, device: nil)]
            + FleetHalt.allCases.map { FleetEventSchema.skipped.json($0, device: "sim:a") }
        for sample in samples {
            guard case .object(let members) = sample, case .string(let name) = members[0].value
            else {
                Issue.record("no event: \(sample)")
                continue
            }
            let schema = try #require(EventWords.all.first { $0.name == name })
            #expect(members.dropFirst(2).map(\.name) == schema.fields.map(\.name))
            for (member, field) in zip(members.dropFirst(2), schema.fields) {
                #expect(field.type.admits(member.value), "\(name).\(member.name)")
            }
        }
    }
}

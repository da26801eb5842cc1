import Synchronization
import Testing

@testable import BargeCLI

/// A descriptor that answers as it is told, and remembers what it took.
private final class Descriptor: Sendable {
    private struct State {
        var outcomes: [System.WriteOutcome]
        var taken: [UInt8] = []
        var waits = 0
        var calls = 0
    }
    private let state: Mutex<State>

    /// - Parameter outcomes: the answers of the first calls; later ones take everything.
    init(_ outcomes: [System.WriteOutcome] = []) {
        state = Mutex(State(outcomes: outcomes))
    }

    var text: String { state.withLock { String(decoding: $0.taken, as: UTF8.self) } }
    var waits: Int { state.withLock { $0.waits } }
    var calls: Int { state.withLock { $0.calls } }

    var writer: LineWriter {
        LineWriter(writeOnce: { self.write($0) }, waitUntilWritable: { self.wait() })
    }

    private func wait() { state.withLock { $0.waits += 1 } }

    private func write(_ bytes: UnsafeRawBufferPointer) -> System.WriteOutcome {
        let copy = Array(bytes)
        return state.withLock { state in
            state.calls += 1
            let scripted = state.outcomes.isEmpty ? nil : state.outcomes.removeFirst()
            let outcome = scripted ?? .wrote(copy.count)
            if case .wrote(let count) = outcome { state.taken += copy.prefix(count) }
            return outcome
        }
    }
}

private let diskFull: Int32 = 28

private struct Rig {
    let output: Descriptor
    let errors = Descriptor()
    let log = Descriptor()
    let console: Console

    init(
        _ settings: Console.Settings = Console.Settings(), columns: Int? = nil,
        rows: Int? = nil, output outcomes: [System.WriteOutcome] = []
    ) {
        output = Descriptor(outcomes)
        console = Console(
            settings: settings, output: output.writer, errors: errors.writer, log: log.writer,
            columns: { columns }, rows: { rows })
    }
}

@Suite("Writing lines")
struct LineWriterTests {
    @Test("Parts, interruptions and full descriptors do not lose or double a byte")
    func parts() {
        let descriptor = Descriptor([
            .wrote(1), .interrupted, .full, .wrote(2), .interrupted, .wrote(0), .wrote(3),
        ])
        #expect(descriptor.writer.write("0123456789") == .complete)
        #expect(descriptor.text == "0123456789")
        #expect(descriptor.waits == 1)
    }

    @Test("A closed or failed descriptor is told and not tried again")
    func ends() {
        let closed = Descriptor([.wrote(2), .closed])
        #expect(closed.writer.write("0123") == .closed)
        #expect(closed.calls == 2)
        let full = Descriptor([.failed(errorNumber: diskFull)])
        #expect(full.writer.write("0123") == .failed(errorNumber: diskFull))
    }
}

@Suite("The console")
struct ConsoleTests {
    @Test("Lines go to standard output, errors to standard error")
    func streams() {
        let rig = Rig()
        rig.console.line("a")
        rig.console.errorLine("b")
        rig.console.lines([])
        #expect(rig.output.text == "a\n")
        #expect(rig.errors.text == "b\n")
    }

    @Test("A reader that goes away ends the output and nothing else")
    func closedOutput() {
        let rig = Rig(output: [.wrote(2), .closed])
        for text in ["a", "b", "c"] { rig.console.line(text) }
        #expect(rig.output.text == "a\n")
        #expect(rig.output.calls == 2)
        #expect(rig.console.isOutputClosed)
        #expect(rig.console.finalCode(.done) == .done)
        #expect(rig.console.finalCode(.linkLost) == .linkLost)
        #expect(rig.errors.text.isEmpty)
    }

    @Test("Output that is lost for another reason makes the exit code 9, and says why")
    func lostOutput() {
        let rig = Rig(output: [.failed(errorNumber: diskFull)])
        rig.console.line("a")
        #expect(rig.console.finalCode(.done) == .localInputOutput)
        #expect(rig.errors.text.contains(System.message(for: diskFull)))
        #expect(rig.console.finalCode(.refusedByDevice) == .refusedByDevice)
    }

    @Test("A file on standard output ends with 141 when its reader goes away")
    func closedData() {
        let rig = Rig(output: [.closed])
        let failure = #expect(throws: Failure.self) {
            try [1, 2, 3].withUnsafeBytes { try rig.console.data($0) }
        }
        #expect(failure?.exitCode == .outputClosed)
    }

    @Test("While standard output carries a file, lines go to standard error")
    func dataAndLines() throws {
        var settings = Console.Settings()
        settings.outputIsData = true
        let rig = Rig(settings)
        rig.console.line("note")
        try Array("file".utf8).withUnsafeBytes { try rig.console.data($0) }
        #expect(rig.output.text == "file")
        #expect(rig.errors.text == "note\n")
    }

    @Test("The moving line keeps one column free and makes way for lines that stay")
    func movingLine() {
        let rig = Rig(columns: 20)
        rig.console.move { String(repeating: "x", count: $0) }
        rig.console.line("done")
        rig.console.settle()
        let line = "\r" + String(repeating: "x", count: 19) + "\u{1B}[K"
        #expect(rig.errors.text == line + "\r\u{1B}[K")
        #expect(rig.output.text == "done\n")
    }

    /// ECMA-48: CUU is ESC [ n A, EL is ESC [ K, ED is ESC [ J.
    @Test("Several moving lines are drawn over each other, and what is left of more is erased")
    func movingLines() {
        let rig = Rig(columns: 20, rows: 10)
        rig.console.moveLines { columns, rows in ["\(columns)", "\(rows)", "c"] }
        rig.console.moveLines { _, _ in ["d", "e"] }
        rig.console.moveLines { _, _ in ["f", "g"] }
        rig.console.line("stays")
        rig.console.moveLines { _, _ in ["h"] }
        rig.console.moveLines { _, _ in [] }
        rig.console.settle()
        let (up, end, below) = ("\u{1B}[", "\u{1B}[K", "\u{1B}[J")
        let expected = [
            "\r19\(end)\n8\(end)\nc\(end)", "\r\(up)2Ad\(end)\ne\(below)",
            "\r\(up)1Af\(end)\ng\(end)", "\r\(up)1A\(below)", "\rh\(end)", "\r\(end)",
        ]
        #expect(rig.errors.text == expected.joined())
        #expect(rig.output.text == "stays\n")
    }

    @Test(
        "A terminal of unknown or hardly any height has room for a line", arguments: [0, 1, 2, 3])
    func lowTerminal(rows: Int) {
        var free: [Int] = []
        Rig(columns: 20, rows: rows).console.moveLines { _, rows in
            free.append(rows)
            return ["x"]
        }
        #expect(free == [1])
    }

    @Test("The failure of one device among many is a line, and with --json an event as well")
    func failureInOneLine() {
        var settings = Console.Settings()
        settings.json = true
        let rig = Rig(settings)
        let failure = Failure(.linkLost, "link-lost", what: "a\u{1B}", why: "b", advice: "c")
        rig.console.reportInOneLine(failure, device: "x")
        #expect(rig.errors.text == "FAILED x: a\\u{1b}: b\n")
        #expect(rig.output.text.hasPrefix(#"{"event":"failed","device":"x","exitCode":8,"#))
        #expect(rig.log.text.contains("x failed (exit code 8): a\\u{1b}: b\n"))
    }

    @Test("Without a terminal nothing moves")
    func noTerminal() {
        let rig = Rig(columns: nil)
        rig.console.move { _ in "x" }
        rig.console.settle()
        #expect(rig.errors.text.isEmpty)
    }

    @Test("Details need --verbose on standard error, and reach the log with the time in any case")
    func details() {
        let quiet = Rig()
        quiet.console.detail("step\u{1B}")
        #expect(quiet.errors.text.isEmpty)
        let pattern = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z step\\u\{1b\}\n/
        #expect(quiet.log.text.wholeMatch(of: pattern) != nil)
        var settings = Console.Settings()
        settings.verbosity = 1
        let verbose = Rig(settings)
        verbose.console.detail("one")
        verbose.console.detail("two", level: 2)
        #expect(verbose.errors.text == "one\n")
    }

    @Test("A failure is three lines, and with --json an event as well")
    func failures() {
        var settings = Console.Settings()
        settings.json = true
        let rig = Rig(settings)
        let failure = Failure(.notFound, "no-file", what: "what", why: "why", advice: "advice")
        rig.console.report(failure, device: "sim:demo")
        #expect(rig.errors.text == "error: what\n  why: why\n  try: advice\n")
        #expect(rig.output.text.hasPrefix(#"{"event":"failed","device":"sim:demo","exitCode":3"#))
    }

    @Test("Quiet silences events for people, and --json replaces them")
    func reporting() {
        let progress = ReportedProgress(bytes: 5, totalBytes: 10, sentBytes: 5, seconds: 1)
        var settings = Console.Settings()
        settings.isQuiet = true
        settings.movesProgress = true
        let quiet = Rig(settings, columns: 80)
        let quietReporter = Reporter(console: quiet.console, device: "sim:demo")
        for event in [.verifying, .progress(progress)] as [ReportedEvent] {
            quietReporter.report(event)
        }
        #expect(quiet.output.text.isEmpty && quiet.errors.text.isEmpty)

        settings = Console.Settings()
        settings.json = true
        let json = Rig(settings)
        Reporter(console: json.console, device: "sim:demo").report(.verifying)
        #expect(json.output.text == "{\"event\":\"verifying\",\"device\":\"sim:demo\"}\n")
    }

    @Test("With --json, a burst of progress shrinks to its first and its last event")
    func burst() {
        var settings = Console.Settings()
        settings.json = true
        let rig = Rig(settings)
        let reporter = Reporter(console: rig.console, device: "sim:demo")
        for bytes in 1...10_000 as ClosedRange<UInt64> {
            reporter.report(
                .progress(
                    ReportedProgress(bytes: bytes, totalBytes: 10_000, sentBytes: 0, seconds: 0)))
        }
        let lines = rig.output.text.split(separator: "\n")
        #expect(lines.first?.contains("\"bytes\":1,") == true)
        #expect(lines.last?.contains("\"bytes\":10000,") == true)
        #expect(lines.count < 1_000)
    }

    @Test("On a terminal progress moves on standard error while lines stay on standard output")
    func movingProgress() {
        var settings = Console.Settings()
        settings.movesProgress = true
        let rig = Rig(settings, columns: 20)
        let reporter = Reporter(console: rig.console, device: "sim:demo")
        let progress = ReportedProgress(bytes: 5, totalBytes: 10, sentBytes: 5, seconds: 1)
        reporter.report(.progress(progress))
        reporter.report(.verifying)
        #expect(rig.errors.text.contains("50 %"))
        #expect(rig.output.text == "verifying\n")
    }
}

@Suite("Files that cannot be used")
struct FileFailureTests {
    /// Numbers of <errno.h> that Linux and Darwin share.
    @Test(
        "What is missing ends with 3, everything else with 9, each with its own identifier",
        arguments: [
            (2, .notFound, "no-such-file"), (13, .localInputOutput, "permission-denied"),
            (28, .localInputOutput, "disk-full"), (30, .localInputOutput, "read-only"),
            (21, .localInputOutput, "is-directory"), (24, .localInputOutput, "too-many-files"),
            (5, .localInputOutput, "file-error"),
        ] as [(Int32, ExitCode, String)])
    func kinds(errorNumber: Int32, exitCode: ExitCode, identifier: String) {
        let failure = Failure.file(.write, path: "a b", errorNumber: errorNumber)
        #expect(failure.exitCode == exitCode)
        #expect(failure.identifier == identifier)
        #expect(failure.what == "cannot write 'a b'")
        #expect(failure.why == System.message(for: errorNumber))
    }
}

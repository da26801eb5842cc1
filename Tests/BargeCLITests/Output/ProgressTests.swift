import Barge
import Testing

@testable import BargeCLI

@Suite("Progress")
struct ProgressTests {
    private static let half = ReportedProgress(
        bytes: 395_000, totalBytes: 790_000, sentBytes: 210_000, bytesPerSecond: 93_100,
        secondsLeft: 4.24, seconds: 4.3, route: .coc, compressionRatio: 0.53, ceilingShare: 0.971)

    private static func line(_ progress: ReportedProgress, _ columns: Int) -> String {
        ProgressLine.text(progress, columns: columns, style: .plain)
    }

    @Test("The line never has more characters than the terminal has columns", arguments: 0...200)
    func widths(columns: Int) {
        var stream = Self.half
        stream.totalBytes = nil
        stream.secondsLeft = nil
        var large = Self.half
        large.bytes = .max
        large.totalBytes = .max
        large.bytesPerSecond = 1e18
        large.compressionRatio = .infinity
        large.secondsLeft = .greatestFiniteMagnitude
        for progress in [Self.half, stream, large] {
            for style in [TerminalStyle.plain, TerminalStyle(usesColor: false, usesUnicode: true)] {
                let text = ProgressLine.text(progress, columns: columns, style: style)
                #expect(text.count <= columns, "\(text)")
            }
        }
    }

    @Test("A wide terminal shows everything")
    func wide() {
        let line = Self.line(Self.half, 200)
        let words = [
            "50 %", "395/790 kB", "93.1 kB/s", "4.2 s left", "coc", "ratio 0.53",
            "97 % of link",
        ]
        #expect(words.allSatisfy(line.contains))
        #expect(line.hasPrefix("[###################..................."))
    }

    @Test("An ordinary terminal of 80 columns has room for everything and a bar")
    func ordinary() {
        #expect(
            Self.line(Self.half, 79)
                == "[##..]   50 %  395/790 kB  93.1 kB/s  4.2 s left  coc  ratio 0.53  97 % of link"
        )
    }

    @Test("Twenty columns show share and time left; six show the share; none show nothing")
    func narrow() {
        #expect(Self.line(Self.half, 20) == " 50 %  4.2 s left")
        #expect(Self.line(Self.half, 6) == " 50 %")
        #expect(Self.line(Self.half, 3) == "")
        #expect(Self.line(Self.half, 0) == "")
    }

    @Test("A bar is empty at the start and full at the end, and only there")
    func bars() {
        var progress = ReportedProgress(bytes: 0, totalBytes: 1_000, sentBytes: 0, seconds: 0)
        #expect(Self.line(progress, 40).hasPrefix("[......"))
        progress.bytes = 999
        #expect(Self.line(progress, 40).contains("#.]"))
        #expect(Self.line(progress, 40).contains("99 %"))
        progress.bytes = 1_000
        #expect(Self.line(progress, 40).contains("##]"))
        #expect(Self.line(progress, 40).contains("100 %"))
    }

    @Test("An empty file is all there; a stream without an end has no share")
    func extremes() {
        #expect(Quantity.bytes(0, of: 0) == "0/0 B")
        #expect(Quantity.bytes(12_345_678, of: 4_294_967_296) == "0.01/4.29 GB")
        let empty = ReportedProgress(bytes: 0, totalBytes: 0, sentBytes: 0, seconds: 0)
        #expect(empty.fraction == 1)
        let stream = ReportedProgress(bytes: 5_000, sentBytes: 0, seconds: 0)
        #expect(Self.line(stream, 80) == "5.00 kB")
    }

    @Test("Colored, the bar has the same characters")
    func colors() {
        let style = TerminalStyle(usesColor: true, usesUnicode: false)
        let colored = ProgressLine.text(Self.half, columns: 80, style: style)
        let bare = colored.replacing("\u{1B}[32m", with: "").replacing("\u{1B}[0m", with: "")
        #expect(colored.contains("\u{1B}[32m"))
        #expect(bare == Self.line(Self.half, 80))
    }

    /// 1 kB is 1000 bytes; three digits.
    @Test(
        "Sizes have three digits and decimal units",
        arguments: [
            (0, "0 B"), (999, "999 B"), (1_000, "1.00 kB"), (7_904, "7.90 kB"),
            (12_345, "12.3 kB"), (790_000, "790 kB"), (999_499, "999 kB"), (999_500, "1.00 MB"),
            (4_294_967_296, "4.29 GB"), (.max, "18.4 EB"),
        ] as [(UInt64, String)])
    func sizes(bytes: UInt64, text: String) {
        #expect(Quantity.bytes(bytes) == text)
    }

    @Test(
        "Times are as long as people care",
        arguments: [
            (0, "0.0 s"), (0.44, "0.4 s"), (9.94, "9.9 s"), (9.96, "10 s"), (59.4, "59 s"),
            (59.6, "1 m 00 s"), (185, "3 m 05 s"), (7_620, "2 h 07 m"), (792_000, "9 d 04 h"),
            (.infinity, "?"), (.nan, "?"), (-1, "?"),
        ] as [(Double, String)])
    func times(seconds: Double, text: String) {
        #expect(Quantity.time(seconds) == text)
    }

    @Test("Plain lines tell every tenth once, and break a long silence")
    func plainLines() {
        var lines = PlainLines(device: "sim:demo")
        var told: [Double] = []
        for step in 0...100 {
            var progress = Self.half
            progress.bytes = UInt64(step * 7_900)
            progress.seconds = Double(step) / 10
            if lines.line(for: .progress(progress)) != nil { told.append(progress.fraction ?? -1) }
        }
        #expect(told.count == 10)
        var late = Self.half
        late.bytes = 790_000
        late.seconds = 39.9
        #expect(lines.line(for: .progress(late)) == nil)
        late.seconds = 40
        #expect(lines.line(for: .progress(late)) != nil)
    }

    @Test("Plain lines say what happened, and make hostile names harmless")
    func plainTexts() {
        var lines = PlainLines(device: "Pump\u{1B}[2J")
        let link = ConnectedLink(security: SecurityChoice.none)
        let connected = lines.line(for: .connected(link))
        #expect(connected == #"connected to Pump\u{1b}[2J (not encrypted)"#)
        let gatt = RouteChoice(route: .gatt, reason: "no PSM was published")
        #expect(lines.line(for: .route(gatt)) == "route: gatt, since no PSM was published")
    }

    @Test("The last line has a rate where one means something, and says which clock it goes by")
    func lastLines() {
        var result = TransferResult(
            outcome: .copied, bytes: 2_000, sentBytes: 1_100, resumedFrom: 0,
            route: RouteChoice(route: .gatt), sha256: "ab", seconds: 9, linkSeconds: 2)
        func line() -> String? {
            var lines = PlainLines(device: "sim:demo")
            return lines.line(for: .finished(result))
        }
        let sent = ", 1.10 kB sent over gatt\nSHA-256 ab"
        #expect(line() == "copied: 2.00 kB in 2.0 s (1.00 kB/s)" + sent)
        result.seconds = 0.1
        #expect(line() == "copied: 2.00 kB in 2.0 s (simulated, 1.00 kB/s)" + sent)
        result.isUnlimited = true
        #expect(line() == "copied: 2.00 kB in 0.1 s (20.0 kB/s)" + sent)
        result.isUnlimited = false
        result.resumedFrom = 1_000
        let resumed = "copied: 2.00 kB (1.00 kB of it earlier) in 2.0 s (simulated)"
        #expect(line() == resumed + sent)
        result.outcome = .installed
        result.resumedFrom = 0
        #expect(line() == "installed: 2.00 kB in 2.0 s (simulated)" + sent)
        result.outcome = .unchanged
        #expect(line() == "already there, nothing sent\nSHA-256 ab")
    }
}

@Suite("Text for terminals")
struct TerminalStyleTests {
    @Test(
        "What could steer a terminal is made visible, and the rest is left alone",
        arguments: [
            ("plain ü 😀", "plain ü 😀"), ("\u{1B}]0;x\u{07}", #"\u{1b}]0;x\u{7}"#),
            ("a\nb", #"a\u{a}b"#), ("\u{9B}31m", #"\u{9b}31m"#), ("\u{202E}exe", #"\u{202e}exe"#),
            ("\u{2028}", #"\u{2028}"#), ("\u{7F}", #"\u{7f}"#),
        ])
    func printable(text: String, expected: String) {
        #expect(text.printable == expected)
    }
}

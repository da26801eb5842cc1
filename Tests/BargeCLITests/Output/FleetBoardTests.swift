import Barge
import Testing

@testable import BargeCLI

@Suite("The table of many devices, as lines")
struct FleetBoardTests {
    private static let half = ReportedProgress(
        bytes: 32_768, totalBytes: 65_536, sentBytes: 20_000, bytesPerSecond: 93_100, seconds: 4)

    private func board(_ count: Int, total: Int? = nil, name: String = "sim:bench-") -> FleetBoard {
        var board = FleetBoard(total: total ?? count)
        for index in 0..<count {
            let device = "\(name)\(index)"
            board.began(device, atSeconds: 0)
            board.note(
                .started(
                    StartedTransfer(
                        operation: .flash, name: "a", bytes: 65_536, resumedFrom: 0)),
                of: device)
            board.note(.progress(Self.half), of: device)
        }
        return board
    }

    private func lines(_ board: FleetBoard, _ columns: Int, _ rows: Int) -> [String] {
        board.lines(columns: columns, rows: rows, seconds: 10, style: .plain)
    }

    @Test("Each device has its name, phase, bar, share, rate and tries; the sums come last")
    func ordinary() {
        var board = board(2, total: 4)
        board.noteRetry(of: "sim:bench-1")
        #expect(
            lines(board, 79, 20) == [
                "sim:bench-0  sending    [##########..........]   50 %  93.1 kB/s         ",
                "sim:bench-1  retrying   [##########..........]   50 %  93.1 kB/s  try 2  ",
                // Two halves of four took 10 s; three remain.
                "0 of 4 done, 2 under way, 30 s left",
            ])
    }

    @Test("Who has ended is counted, and no row any more")
    func ends() {
        var board = board(3, total: 9)
        #expect(board.ended("sim:bench-0", .done(.installed))?.progress == Self.half)
        _ = board.ended("sim:bench-1", .done(.alreadyInstalled))
        let failure = Failure(.linkLost, "link-lost", what: "a", why: "b", advice: "c")
        _ = board.ended("sim:bench-2", .failed(failure))
        #expect(board.ended("sim:bench-8", .notStarted(.tooManyFailures)) == nil)
        #expect(lines(board, 79, 20).first?.hasPrefix("2 of 9 done, 1 failed, 0 under way") == true)
        #expect(board.summary.total == 4)
    }

    @Test("More devices than rows are summed up", arguments: 1...60)
    func rows(rows: Int) {
        let lines = lines(board(50), 79, rows)
        #expect(lines.count == min(rows, 51))
        let hidden = 50 - (lines.count - 1)
        #expect(lines.last?.contains("(\(hidden) not shown)") == (hidden > 0))
    }

    /// Letters of two columns each (UAX 11: W), which a bar of their number would let wrap.
    @Test(
        "No line is ever wider than the terminal, whatever the names",
        arguments: ["sim:bench-", "", "泵泵泵泵泵泵泵泵泵泵泵泵", "\u{1B}[2J\u{202E}"])
    func widths(name: String) {
        var board = board(3, total: 1_000, name: name)
        board.noteRetry(of: "\(name)1")
        for columns in 0...200 {
            for usesUnicode in [false, true] {
                let style = TerminalStyle(usesColor: false, usesUnicode: usesUnicode)
                let lines = board.lines(columns: columns, rows: 9, seconds: 1, style: style)
                #expect(lines.count == 4)
                for line in lines {
                    #expect(columnsOnTerminal(line) <= columns, "\(line)")
                    #expect(!line.unicodeScalars.contains("\u{1B}"))
                }
            }
        }
    }

    /// UAX 11 for the characters of these tests: the CJK ideographs are wide, all others narrow.
    private func columnsOnTerminal(_ line: String) -> Int {
        line.unicodeScalars.reduce(0) { $0 + ((0x4E00...0x9FFF).contains($1.value) ? 2 : 1) }
    }

    @Test("What has no room goes from the least important on")
    func narrow() {
        let board = board(1)
        #expect(lines(board, 20, 9).first == "sim:bench-0   50 %")
        #expect(lines(board, 31, 9).first == "sim:bench-0  sending     50 %")
        #expect(lines(board, 42, 9).first == "sim:bench-0  sending     50 %  93.1 kB/s")
    }
}

import Foundation
import Synchronization
import Testing

@testable import BargeCLI

@Suite("The process")
struct ProcessTests {
    @Test(
        "A wrong command line ends with 2, three lines on standard error, and nothing else",
        arguments: [
            ["flsh"], ["flash", "--conpression", "x"], ["flash", "a"], ["sim"], [],
            ["flash", "--level", "10", "a", "sim:demo"], ["push", "-", "sim:demo"],
            ["image", "verify", "a"], ["sim", "create", "../x"],
        ])
    func usage(words: [String]) throws {
        let answer = try Binary.run(Binary.directory.appending(path: "barge").path, words)
        #expect(answer.exitCode == 2)
        #expect(answer.output.isEmpty)
        let starts = answer.errors.split(separator: "\n").map { $0.prefix(6) }
        #expect(starts == ["error:", "  why:", "  try:"])
    }

    @Test("With --json a wrong command line is an event as well")
    func usageEvent() throws {
        let answer = try Binary.barge("flsh", "--json")
        #expect(answer.exitCode == 2)
        #expect(answer.lines.count == 1)
        let start = #"{"event":"failed","device":null,"exitCode":2,"error":"unknown-command""#
        #expect(answer.output.hasPrefix(start))
    }

    @Test("An argument that is not UTF-8 is refused, not repaired")
    func notText() throws {
        let answer = try Binary.bash(#"barge flash $'caf\xe9.bin' sim:demo"#)
        #expect(answer.exitCode == 2)
        #expect(answer.errors.contains("argument 2 is not UTF-8"))
    }

    @Test("A reader that takes one line only is no failure, and there is no trace of it")
    func head() throws {
        let answer = try Binary.bash(
            "for i in 1 2 3 4 5; do barge help json | head -n 1; echo ${PIPESTATUS[0]}; done")
        #expect(answer.output == String(repeating: "JSON output\n0\n", count: 5))
        #expect(answer.errors.isEmpty)
    }

    @Test("Standard output may be closed from the start")
    func closedOutput() throws {
        let answer = try Binary.bash("barge --version >&-; echo $?")
        #expect(answer.output == "0\n")
        #expect(answer.errors.isEmpty)
    }

    @Test("A full disk behind standard output ends with 9 and says so", .enabled(if: hasFullDevice))
    func fullDisk() throws {
        let answer = try Binary.bash("barge help json > /dev/full")
        #expect(answer.exitCode == 9)
        #expect(answer.errors.contains("No space left on device"))
    }

    private static var hasFullDevice: Bool { FileManager.default.fileExists(atPath: "/dev/full") }

    @Test("A log that cannot be opened ends the command before anything else happens")
    func log() throws {
        let missing = try Binary.barge("man", "--log", "/nonexistent/log")
        #expect(missing.exitCode == 3)
        #expect(missing.output.isEmpty)
        let directory = try Binary.barge("man", "--log", "/")
        #expect(directory.exitCode == 9)
        #expect(directory.output.isEmpty)
    }

    @Test("The width of a terminal is asked of the terminal, each time anew")
    func terminalWidth() throws {
        let terminal = open("/dev/ptmx", O_RDWR | O_NOCTTY)
        try #require(terminal >= 0)
        defer { close(terminal) }
        for columns: UInt16 in [20, 132] {
            var size = winsize(ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
            #expect(ioctl(terminal, UInt(TIOCSWINSZ), &size) == 0)
            #expect(System.terminalColumns(terminal) == Int(columns))
        }
    }
}

@Suite("Interruption", .serialized)
struct InterruptionTests {
    @Test("The first signal asks for the end and lets the process live")
    func firstSignal() async {
        await #expect(processExitsWith: .exitCode(42)) {
            let interruption = Interruption()
            await withCheckedContinuation { continuation in
                interruption.onRequest { continuation.resume() }
                kill(getpid(), SIGTERM)
            }
            exit(interruption.isRequested ? 42 : 43)
        }
    }

    @Test("The second signal ends the process at once with 130")
    func secondSignal() async {
        await #expect(processExitsWith: .exitCode(130)) {
            let interruption = Interruption()
            interruption.onRequest { kill(getpid(), SIGTERM) }
            kill(getpid(), SIGTERM)
            // Never reached in time; it only bounds the test if signals were lost.
            try await Task.sleep(for: .seconds(60))
            withExtendedLifetime(interruption) {}
        }
    }

    @Test("A signal that came before anybody listened is not lost")
    func lateListener() async {
        await #expect(processExitsWith: .exitCode(42)) {
            let interruption = Interruption()
            await withCheckedContinuation { continuation in
                interruption.onRequest { continuation.resume() }
                kill(getpid(), SIGHUP)
            }
            interruption.onRequest { exit(42) }
            exit(43)
        }
    }
}

@Suite("The state directory")
struct StateDirectoryTests {
    @Test(
        "It is the one that is given, else under XDG_STATE_HOME, else under HOME",
        arguments: [
            ("x", ["HOME": "/h", "XDG_STATE_HOME": "/s"], "x"),
            (nil, ["HOME": "/h", "XDG_STATE_HOME": "/s"], "/s/barge"),
            (nil, ["HOME": "/h"], "/h/.local/state/barge"),
            (nil, ["HOME": "/h", "XDG_STATE_HOME": "relative"], "/h/.local/state/barge"),
            (nil, ["HOME": "/h", "XDG_STATE_HOME": ""], "/h/.local/state/barge"),
        ] as [(String?, [String: String], String)])
    func places(given: String?, environment: [String: String], expected: String) throws {
        let path = try StateLocation.path(given: given, environment: { environment[$0] })
        #expect(path == expected)
    }

    @Test("Where nothing says where it is, the advice names the option")
    func nowhere() {
        let failure = #expect(throws: Failure.self) {
            try StateLocation.path(given: nil, environment: { _ in nil }, homeOfUser: { nil })
        }
        #expect(failure?.advice.contains("--state-dir") == true)
    }
}

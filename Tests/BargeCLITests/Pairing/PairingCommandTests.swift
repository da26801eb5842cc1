import Barge
import Foundation
import Testing

@testable import BargeCLI

@Suite("barge pair, barge forget, and pairings that are gone")
struct PairingCommandTests {
    private let state: StateFolder

    init() throws { state = try StateFolder() }

    private func error(_ answer: Binary.Answer) throws -> String? {
        try answer.objects().last?["error"] as? String
    }

    @Test("Pairing once is enough, whichever process comes next")
    func once() throws {
        _ = try state.run("sim create pump --pairing display --security authenticated")
        let unasked = try state.run("pair sim:pump --security authenticated --json")
        #expect(unasked.exitCode == 5)
        #expect(try error(unasked) == "security-not-reached")
        #expect(unasked.errors.contains("--passkey"))
        _ = try state.run("sim rm pump")
        _ = try state.run(
            "sim create pump --pairing display --passkey 012345 --security authenticated")
        let line = "pair sim:pump --security fips --passkey 012345 --json"
        let paired = try state.run(line)
        #expect(paired.exitCode == 0, "\(paired.errors)")
        #expect(paired.errors == "sim:pump shows 012345\n")
        let event = try paired.objects().last
        #expect(event?["event"] as? String == "paired")
        #expect(event?["serial"] as? String == "SIM-pump")
        #expect(event?["level"] as? String == "fips")
        #expect(event?["already"] as? Bool == false)
        let again = try state.run("pair sim:pump --security fips --json")
        #expect(try again.objects().last?["already"] as? Bool == true)
        #expect(again.errors.isEmpty)
        #expect(try state.run("ls sim:pump --security fips").exitCode == 0)
        let kept = try state.text("state", of: "pump")
        #expect(kept.contains("central-bond fips 16\ndevice-bond fips 16\n"))
    }

    @Test("Keys of a level below are replaced by better ones, and the bond is not called old")
    func better() throws {
        _ = try state.run("sim create pump --pairing display-yes-no")
        #expect(
            try state.run("pair sim:pump --json").objects().last?["level"] as? String
                == "encrypted")
        let better = try state.run("pair sim:pump --security authenticated --yes --json")
        #expect(try better.objects().last?["already"] as? Bool == false)
        #expect(try better.objects().last?["level"] as? String == "fips")
    }

    @Test("A wrong passkey is refused with 5, and leaves no keys")
    func wrongPasskey() throws {
        _ = try state.run("sim create pump --pairing display --passkey 012345")
        let answer = try state.run(
            "pair sim:pump --security authenticated --passkey 543210 --json")
        #expect(answer.exitCode == 5)
        #expect(try error(answer) == "authentication-refused")
        #expect(try state.text("state", of: "pump").contains("central-bond none\n"))
    }

    @Test("A short key does not pass for a long one")
    func shortKey() throws {
        _ = try state.run("sim create pump --pairing display --key-bytes 7 --passkey 012345")
        let answer = try state.run("pair sim:pump --security fips --passkey 012345 --json")
        #expect(answer.exitCode == 5)
        #expect(try error(answer) == "key-too-short")
    }

    @Test("Digits that the device says no to end the pairing")
    func refused() throws {
        _ = try state.run("sim create pump --pairing display-yes-no --refuses-comparison")
        let answer = try state.run("pair sim:pump --security authenticated --yes --json")
        #expect(answer.exitCode == 5)
        #expect(try error(answer) == "authentication-refused")
    }

    @Test("A pairing that the device has lost is an error, and its advice mends it")
    func deviceLost() throws {
        _ = try state.run("sim create pump")
        #expect(try state.run("info sim:pump").exitCode == 0)
        #expect(try state.run("sim unpair pump").exitCode == 0)
        let lost = try state.run("info sim:pump --json")
        #expect(lost.exitCode == 5)
        #expect(try error(lost) == "pairing-removed")
        #expect(lost.errors.contains("barge forget DEVICE, then barge pair DEVICE"))
        let forgotten = try state.run("forget sim:pump --json")
        #expect(forgotten.exitCode == 0)
        #expect(try forgotten.objects().last?["event"] as? String == "forgotten")
        #expect(try forgotten.objects().last?["keys"] as? Bool == true)
        #expect(try state.run("pair sim:pump").exitCode == 0)
        #expect(try state.run("info sim:pump").exitCode == 0)
    }

    @Test("A pairing that this computer has lost is an error as well, and its advice mends it")
    func computerLost() throws {
        _ = try state.run("sim create pump --refuses-new-bond")
        #expect(try state.run("info sim:pump").exitCode == 0)
        #expect(try state.run("forget sim:pump").exitCode == 0)
        let lost = try state.run("info sim:pump --json")
        #expect(lost.exitCode == 5)
        #expect(try error(lost) == "pairing-removed")
        #expect(lost.errors.contains("clear the pairing on the device"))
        #expect(try state.run("sim unpair pump").exitCode == 0)
        #expect(try state.run("pair sim:pump").exitCode == 0)
        #expect(try state.run("info sim:pump").exitCode == 0)
    }

    @Test("Forgetting takes the keys and what is remembered, and says so")
    func forget() throws {
        _ = try state.run("sim create pump")
        _ = try state.run("info sim:pump")
        let answer = try state.run("forget sim:pump")
        #expect(answer.output == "forgot sim:pump: its keys, serial SIM-pump\n")
        let again = try state.run("forget sim:pump --json")
        #expect(again.exitCode == 3)
        #expect(try error(again) == "device-not-known")
    }

    @Test("What is not known is not forgotten, and the names that come near are told")
    func unknown() throws {
        _ = try state.run("sim create pump")
        _ = try state.run("info sim:pump")
        let answer = try state.run("forget sim:pmup")
        #expect(answer.exitCode == 3)
        #expect(answer.errors.contains("sim:pump"))
        #expect(answer.isOneFailure)
    }

    @Test("A link without encryption is nothing to pair for")
    func noSecurity() throws {
        #expect(try state.run("pair sim:demo --security none").exitCode == 2)
    }

    @Test("No passkey gets into the list of unfinished transfers, a log or an event")
    func secrets() throws {
        let line = [
            "flash", "/nowhere/fw.bin", "sim:pump", "--passkey", "918273", "--yes",
            "--state-dir", state.path,
        ]
        guard
            case .run(let arguments) = try ArgumentParser(root: BargeCommand.declaration)
                .parse(line)
        else { return }
        let memory = try #require(
            try TransferMemory(
                .flash, arguments, console: RecordingConsole().console,
                localPath: "/nowhere/fw.bin", remote: .image(0)))
        memory.begin(length: 1_000, serial: nil)
        let journal = try TransferJournal.open(arguments).list()
        let words = journal.entries.flatMap { TransferMemory.words(of: $0.transfer) }
        #expect(words.contains("--yes"))
        #expect(!words.contains { $0.contains("passkey") || $0.contains("918273") })

        _ = try state.run(
            "sim create pump --pairing display --passkey 918273 --security authenticated")
        let log = state.path + "/log"
        let paired = try state.barge(
            "pair", "sim:pump", "--security", "authenticated", "--passkey", "918273", "--json",
            "-vv", "--log", log)
        #expect(paired.exitCode == 0)
        #expect(!paired.output.contains("918273"))
        #expect(!(try String(contentsOfFile: log, encoding: .utf8)).contains("918273"))
        // What the display of the simulated device shows is told to whoever looks, once.
        #expect(
            paired.errors.split(separator: "918273", omittingEmptySubsequences: false).count == 2)
    }
}

@Suite("Pairing on a terminal")
struct TerminalPairingTests {
    private let state: StateFolder

    init() throws { state = try StateFolder() }

    /// Runs `barge` on a terminal of its own, and types a line when it asks.
    private func onTerminal(_ words: String, typing line: String) throws -> Binary.Answer {
        let reply = state.path + "/reply"
        // The line is typed only once the question is there: a terminal would take it before.
        return try Binary.bash(
            """
            mkfifo '\(reply)'
            exec 3<>'\(reply)'
            script -qefc 'barge \(words) --state-dir \(state.path)' /dev/null <&3 |
            while IFS= read -r text; do
                printf '%s\\n' "$text"
                case $text in *'to stop)'* | *'[y/N]'*) printf '\(line)' >&3 ;; esac
            done
            exit ${PIPESTATUS[0]}
            """)
    }

    private static var hasScript: Bool { Binary.find("script") != nil }

    @Test(
        "Digits that are typed pair the devices", .enabled(if: hasScript), .timeLimit(.minutes(1)))
    func digits() throws {
        _ = try state.run("sim create pump --pairing display --passkey 000042")
        let answer = try onTerminal(
            "pair sim:pump --security authenticated", typing: "000042\\n")
        #expect(answer.exitCode == 0, "\(answer.output) \(answer.errors)")
        #expect(answer.output.contains("sim:pump shows 000042"))
        #expect(answer.output.contains("paired with sim:pump at fips"))
    }

    @Test("Ctrl-C ends a question", .enabled(if: hasScript), .timeLimit(.minutes(1)))
    func interrupted() throws {
        _ = try state.run("sim create pump --pairing display")
        let answer = try onTerminal("pair sim:pump --security authenticated", typing: "\\003")
        #expect(answer.exitCode == 130, "\(answer.output) \(answer.errors)")
        #expect(try state.text("state", of: "pump").contains("central-bond none\n"))
    }
}

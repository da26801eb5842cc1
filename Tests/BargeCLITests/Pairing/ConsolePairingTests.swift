import Barge
import Foundation
import Synchronization
import Testing

@testable import BargeCLI

@Suite("Who answers what pairing asks")
struct ConsolePairingTests {
    private static let peer = PeerID("sim:pump#3")
    private static let digits = Passkey("012345")
    private let recording = RecordingConsole()

    /// Someone who types these lines, and then the end of the input; nil: nobody is there.
    private func pairing(
        passkey: String? = nil, agrees: Bool = false, typing lines: [String]? = nil
    ) -> ConsolePairing {
        var readLine: ConsolePairing.LineReader?
        if let lines {
            let typist = Typist(lines)
            readLine = { () async -> String? in typist.next() }
        }
        return ConsolePairing(
            passkey: passkey.flatMap { Passkey($0) }, agrees: agrees, console: recording.console,
            readLine: readLine)
    }

    private final class Typist: Sendable {
        private let lines: Mutex<[String]>
        init(_ lines: [String]) { self.lines = Mutex(lines) }
        func next() -> String? { lines.withLock { $0.isEmpty ? nil : $0.removeFirst() } }
    }

    @Test("What can be shown and typed follows from who is there")
    func capability() {
        #expect(pairing(typing: []).capability == .keyboardDisplay)
        #expect(pairing(passkey: "000000").capability == .keyboardDisplay)
        #expect(pairing(agrees: true).capability == .displayYesNo)
        #expect(pairing().capability == .none)
    }

    @Test(
        "Digits come from the line, else from whoever types them, with spaces and after a slip",
        arguments: [
            (["012345"], "012345"), (["012 345"], "012345"), (["12345", "012345"], "012345"),
            ([""], nil), ([], nil), (["1", "2", "3", "4", "5", "012345"], nil),
        ] as [([String], String?)])
    func typed(lines: [String], expected: String?) async {
        let answer = await pairing(typing: lines).answer(.enterPasskey(Self.peer))
        let passkey = expected.flatMap { Passkey($0) }
        #expect(answer == passkey.map { .passkey($0) } ?? .refuse)
        #expect(recording.errors.contains("type the six digits that sim:pump shows"))
    }

    @Test("Digits that the line gives are typed without a question")
    func given() async throws {
        let digits = try #require(Self.digits)
        let pairing = pairing(passkey: "012345")
        #expect(await pairing.answer(.enterPasskey(Self.peer)) == .passkey(digits))
        #expect(await pairing.answer(.compare(digits, Self.peer)) == .accept)
        let others = try #require(Passkey("543210"))
        #expect(await pairing.answer(.compare(others, Self.peer)) == .refuse)
        #expect(recording.errors.isEmpty)
    }

    @Test("Nothing but digits is agreed to in advance")
    func agreed() async throws {
        let digits = try #require(Self.digits)
        let pairing = pairing(agrees: true)
        #expect(await pairing.answer(.compare(digits, Self.peer)) == .accept)
        #expect(await pairing.answer(.showPasskey(digits, Self.peer)) == .accept)
        #expect(recording.errors == "type 012345 on sim:pump\n")
        #expect(await pairing.answer(.enterPasskey(Self.peer)) == .refuse)
    }

    @Test(
        "A comparison needs a yes, and everything else is a no",
        arguments: [("y", true), ("YES", true), ("n", false), ("", false), ("012345", false)])
    func compared(line: String, isAccepted: Bool) async throws {
        let digits = try #require(Self.digits)
        let expected: PairingAnswer = isAccepted ? .accept : .refuse
        #expect(
            await pairing(typing: [line]).answer(.compare(digits, Self.peer)) == expected)
        #expect(
            await pairing(typing: [line]).answer(.showPasskey(digits, Self.peer)) == expected)
    }

    @Test("Nothing moves on the terminal while somebody types")
    func stillness() {
        var settings = Console.Settings()
        settings.movesProgress = true
        let recording = RecordingConsole(settings, columns: 80)
        recording.console.move { _ in "12 %" }
        recording.console.setTypedOn(true)
        let before = recording.errors
        recording.console.move { _ in "13 %" }
        #expect(recording.errors == before)
        recording.console.setTypedOn(false)
        recording.console.move { _ in "14 %" }
        #expect(recording.errors.hasSuffix("\r14 %\u{1B}[K"))
    }

    @Test("Whoever waits for the terminal waits no longer when it is canceled")
    func turns() async {
        let (entered, begin) = AsyncStream.makeStream(of: Void.self)
        let (left, end) = AsyncStream.makeStream(of: Void.self)
        let turn = ConsoleTurn()
        let first = Task {
            await turn.take { () async -> PairingAnswer in
                begin.yield()
                for await _ in left { break }
                return .accept
            }
        }
        for await _ in entered { break }
        let second = Task { await turn.take { () async -> PairingAnswer in .accept } }
        second.cancel()
        #expect(await second.value == .refuse)
        let third = Task { await turn.take { () async -> PairingAnswer in .accept } }
        end.yield()
        #expect(await first.value == .accept)
        #expect(await third.value == .accept)
    }

    @Test("A turn that comes to somebody who was just canceled goes to the next one")
    func passedOn() async {
        for _ in 0..<200 {
            let turn = ConsoleTurn()
            let (entered, begin) = AsyncStream.makeStream(of: Void.self)
            let (left, end) = AsyncStream.makeStream(of: Void.self)
            let first = Task {
                await turn.take { () async -> PairingAnswer in
                    begin.yield()
                    for await _ in left { break }
                    return .accept
                }
            }
            for await _ in entered { break }
            let second = Task { await turn.take { () async -> PairingAnswer in .accept } }
            while await turn.waitingCount < 1 { await Task.yield() }
            let third = Task { await turn.take { () async -> PairingAnswer in .accept } }
            while await turn.waitingCount < 2 { await Task.yield() }
            end.yield()
            // No turn is left to wait for: it has been handed to the second one.
            while await turn.waitingCount == 2 {}
            second.cancel()
            _ = await (first.value, second.value)
            #expect(await third.value == .accept)
        }
    }

    @Test("A line is read up to its end, and a canceled wait for one ends")
    func lines() async throws {
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        defer { ends.forEach { close($0) } }
        let reader = ends[0]
        #expect(write(ends[1], "012345\nrest", 11) == 11)
        #expect(await TerminalLine.read(from: reader) == "012345")
        let waiting = Task { await TerminalLine.read(from: reader) }
        waiting.cancel()
        #expect(await waiting.value == nil)
    }
}

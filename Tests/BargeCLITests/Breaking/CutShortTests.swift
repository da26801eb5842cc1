import Foundation
import Testing

/// Ctrl-C and kill -9, each at a known point of a transfer in real time.
@Suite("A transfer that is cut short")
struct CutShortTests {
    /// A second of air at 2M, over and above the connection.
    private static let length = 170_000

    @Test(
        "Signals end it with 130, a failed event last, and the device free; it goes on from there",
        arguments: [SIGINT, SIGTERM, SIGHUP], ["connected", "started", "durable"])
    func signals(signal: Int32, event: String) throws {
        let bench = try Bench(board: "--pace", "realtime", "--interval", "7.5")
        let bytes = Bench.noise(Self.length)
        let path = try bench.write("cargo", bytes)
        let push = try bench.start("push", path, "sim:board") { $0.name == event }
        #expect(try push.end(signal) == 130)
        let last = try #require(push.events.last)
        #expect(last.name == "failed")
        #expect(last["exitCode"] == 130)
        let durable: Int = push.events.last { $0.name == "durable" }?["offset"] ?? 0
        try bench.hurry()
        let again = try bench.events("push", path, "sim:board")
        #expect(again.result == "copied")
        #expect(try #require(again.last?["resumedFrom"] as Int?) >= durable)
        #expect(try bench.unfinished().isEmpty)
        #expect(try bench.events("pull", "sim:board", "cargo", bench("copy")).result == "copied")
        #expect(bench.holds("copy", bytes))
    }

    @Test(
        "kill -9 loses nothing durable, and the next run installs",
        arguments: ["connected", "started", "durable", "rebooting"])
    func killedFlash(event: String) throws {
        let bench = try Bench(board: "--pace", "realtime", "--interval", "7.5")
        let path = try bench.write("cargo", Bench.noise(60_000))
        let flash = try bench.start("flash", path, "sim:board", "--compression=none") {
            $0.name == event
        }
        #expect(try flash.end(SIGKILL) == -SIGKILL)
        let durable: Int = flash.events.last { $0.name == "durable" }?["offset"] ?? 0
        try bench.hurry()
        #expect(try bench.barge("info", "sim:board").exitCode == 0)
        let again = try bench.events("flash", path, "sim:board", "--compression=none")
        #expect(["installed", "already-installed"].contains(again.result))
        let start = again.all.first { $0.name == "started" }
        if let from: Int = start?["resumedFrom"] { #expect(from >= durable) }
        #expect(try bench.unfinished().isEmpty)
        #expect(try bench.events("flash", path, "sim:board").result == "already-installed")
    }

    @Test("A killed pull keeps its part, and leaves nothing beside the file in the end")
    func killedPull() throws {
        let bench = try Bench(board: "--pace", "realtime", "--interval", "7.5")
        let bytes = Bench.noise(Self.length)
        try bench.hurry()
        let path = try bench.write("cargo", bytes)
        #expect(try bench.events("push", path, "sim:board").result == "copied")
        let slow = String(
            decoding: try #require(bench.read(bench.board("device.conf"))), as: UTF8.self)
        try bench.write(
            bench.board("device.conf"),
            Array(slow.replacing("pace max", with: "pace realtime").utf8))
        let pull = try bench.start("pull", "sim:board", "cargo", bench("got")) {
            $0.name == "durable"
        }
        #expect(try pull.end(SIGKILL) == -SIGKILL)
        try bench.hurry()
        let again = try bench.events("resume")
        #expect(again.result == "copied")
        #expect(try #require(again.last?["resumedFrom"] as Int?) > 0)
        #expect(bench.holds("got", bytes))
        #expect(bench.names == ["cargo", "got", "state"])
    }

    @Test("Whoever comes second is told who has the device, and gets it as soon as it is free")
    func busy() throws {
        let bench = try Bench(board: "--pace", "realtime", "--interval", "7.5")
        let path = try bench.write("cargo", Bench.noise(Self.length * 10))
        let push = try bench.start("push", path, "sim:board") { $0.name == "durable" }
        let second = try bench.events("ls", "sim:board", "--timeout", "100ms")
        #expect(second.exitCode == 6)
        #expect(second.error == "device-in-use")
        #expect(try push.end(SIGKILL) == -SIGKILL)
        #expect(try bench.events("ls", "sim:board").exitCode == 0)
    }
}

@Suite("barge resume")
struct ResumeTests {
    /// A bench with a push that was killed after its first durable bytes.
    private func killedPush() throws -> (Bench, path: String) {
        let bench = try Bench(board: "--pace", "realtime", "--interval", "7.5")
        let path = try bench.write("cargo", Bench.noise(170_000))
        let push = try bench.start("push", path, "sim:board") { $0.name == "durable" }
        #expect(try push.end(SIGKILL) == -SIGKILL)
        try bench.hurry()
        #expect(try bench.unfinished().count == 1)
        return (bench, path)
    }

    @Test("A transfer that another run has finished meanwhile is done, and forgotten")
    func finishedMeanwhile() throws {
        let (bench, path) = try killedPush()
        let entry = try #require(
            try FileManager.default.contentsOfDirectory(atPath: bench("state/transfers")).first)
        let remembered = try #require(bench.read("state/transfers/\(entry)"))
        #expect(try bench.events("push", path, "sim:board").result == "copied")
        // As if that run had been killed just before its last step.
        try bench.write("state/transfers/\(entry)", remembered)
        #expect(try bench.events("resume").result == "unchanged")
        #expect(try bench.unfinished().isEmpty)
    }

    @Test("What cannot be finished is told once")
    func hopeless() throws {
        let (bench, path) = try killedPush()
        try FileManager.default.removeItem(atPath: path)
        let first = try bench.events("resume")
        #expect(first.exitCode == 3)
        #expect(first.error == "no-such-file")
        #expect(try bench.events("resume").all.isEmpty)
    }

    @Test("What another file has replaced since, by whatever name of the device, is not put back")
    func superseded() throws {
        let (bench, path) = try killedPush()
        let newer = try bench.write("newer", Bench.noise(5_000, seed: 3))
        let name = try #require(path.split(separator: "/").last.map(String.init))
        #expect(try bench.events("push", newer, "SIM-board", name).result == "copied")
        #expect(try bench.unfinished().isEmpty)
        #expect(try bench.events("resume").all.isEmpty)
    }

    @Test("What is dropped is not resumed any more, and what the device holds of it stays")
    func dropped() throws {
        let (bench, path) = try killedPush()
        #expect(try bench.events("resume", "--list", "--drop").exitCode == 2)
        let dropped = try bench.events("resume", "--drop", "sim:board")
        #expect(dropped.exitCode == 0)
        #expect(dropped.all.map(\.name) == ["removed"])
        #expect(try bench.unfinished().isEmpty)
        let again = try bench.events("push", path, "sim:board")
        #expect((again.last?["resumedFrom"] ?? 0) > 0)
    }

    @Test("A device that was removed is told once")
    func removedDevice() throws {
        let (bench, _) = try killedPush()
        #expect(try bench.barge("sim", "rm", "board").exitCode == 0)
        let first = try bench.events("resume")
        #expect(first.exitCode == 3)
        #expect(first.error == "no-such-device")
        #expect(try bench.events("resume").all.isEmpty)
    }

    @Test("What may succeed later stays on the list, and link options hold for this run")
    func linkOptions() throws {
        let (bench, path) = try killedPush()
        let refused = try bench.events("resume", "--security", "fips")
        #expect(refused.exitCode == 5)
        #expect(try bench.unfinished().count == 1)
        let resumed = try bench.events("resume", "--transport", "gatt")
        #expect(resumed.last?["route"] == "gatt")
        #expect(resumed.result == "copied")
        #expect(try bench.events("push", path, "sim:board").result == "unchanged")
    }

    @Test("A file that has changed since is sent as it is now")
    func changedFile() throws {
        let (bench, path) = try killedPush()
        let bytes = Bench.noise(9_000, seed: 2)
        try bench.write("cargo", bytes)
        let resumed = try bench.events("resume")
        #expect(resumed.result == "copied")
        #expect(resumed.last?["resumedFrom"] == 0)
        #expect(try bench.events("push", path, "sim:board").result == "unchanged")
    }
}

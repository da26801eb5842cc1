import Foundation
import Testing

@Suite("Many devices, from the command line")
struct FleetCommandTests {
    /// A bench of a few pumps, and an image that fits them.
    private func pumps(_ count: Int, _ options: String...) throws -> (Bench, image: String) {
        let bench = try Bench()
        let made = try bench.run(["sim", "create", "pump", "--count", "\(count)"] + options)
        try #require(made.exitCode == 0, "\(made.errors)")
        return (bench, try bench.write("image", Bench.noise(20_000)))
    }

    private func results(_ events: Events) -> [String: String] {
        var results: [String: String] = [:]
        for event in events.all {
            guard let device: String = event["device"] else { continue }
            switch event.name {
            case "finished": results[device] = event["result"]
            case "failed": results[device] = "failed"
            case "device-not-done": results[device] = event["reason"]
            default: continue
            }
        }
        return results
    }

    @Test("All that match are flashed, each once, and a second run finds nothing to do")
    func all() throws {
        let (bench, image) = try pumps(4, "--loss", "0.02")
        let line = ["flash", image, "--all", "--name", "pump-*", "--jobs", "3"]
        let first = try Events(bench.run(["--json"] + line))
        #expect(first.exitCode == 0)
        let devices = (1...4).map { "sim:pump-\($0)" }
        #expect(
            results(first) == Dictionary(devices.map { ($0, "installed") }) { first, _ in first })
        #expect(first.last?.name == "fleet")
        #expect(first.last?["succeeded"] == 4)
        let second = try Events(bench.run(["--json"] + line))
        #expect(Set(results(second).values) == ["already-installed"])
        #expect(second.last?["unchanged"] == 4)
        // The board does not match, and still runs what it left the factory with.
        #expect(try bench.events("info", "sim:board").exitCode == 0)
    }

    @Test("A device that is named twice, however it is called, is done once")
    func twice() throws {
        let (bench, image) = try pumps(2)
        let run = try bench.events(
            "flash", image, "sim:pump-1", "sim:pump-2", "pump-1", "sim:pump-2")
        #expect(run.exitCode == 0)
        #expect(run.last?["total"] == 2)
        #expect(run.errors.contains("pump-1 is also sim:pump-1; it is done once"))
        #expect(run.errors.contains("sim:pump-2 is named twice; it is done once"))
    }

    @Test("A pattern that matches nothing ends with 3 and names what comes near")
    func nothing() throws {
        let (bench, image) = try pumps(2)
        let run = try bench.events("flash", image, "--all", "--name", "pmp-1")
        #expect(run.exitCode == 3)
        #expect(run.error == "no-device-matches")
        #expect(run.reason.contains("near: pump-1"))
        let name = try bench.events("info", "pump-7")
        #expect(name.exitCode == 3)
        #expect(name.reason.contains("pump-1"))
    }

    @Test("Where nothing matches the report of an earlier run does not stay")
    func emptyReport() throws {
        let (bench, image) = try pumps(1)
        let report = bench("report.json")
        let line = ["flash", image, "--all", "--report", report, "--name"]
        #expect(try bench.run(line + ["pump-1"]).exitCode == 0)
        #expect(try bench.run(line + ["nobody"]).exitCode == 3)
        let text = String(decoding: try #require(bench.read("report.json")), as: UTF8.self)
        #expect(text.contains(#""exitCode":3"#))
        #expect(text.contains(#""devices":[]"#))
    }

    @Test("A device that another run has is not left out in silence")
    func busy() throws {
        let (bench, image) = try pumps(2, "--pace", "realtime")
        let cargo = try bench.write("cargo", Bench.noise(400_000))
        let holder = try bench.start("push", cargo, "sim:pump-1") { $0.name == "started" }
        let run = try bench.events(
            "flash", image, "--all", "--name", "pump-*", "--timeout", "100ms", "--security", "none")
        #expect(run.last?["total"] == 2)
        #expect(results(run)["sim:pump-1"] == "failed")
        #expect(run.exitCode == 6)
        #expect(try holder.end(SIGKILL) == -SIGKILL)
    }

    @Test("A device whose files are damaged fails by itself, and is not left out")
    func damaged() throws {
        let (bench, image) = try pumps(2)
        try bench.write("state/sim/pump-2/device.conf", Array("nonsense".utf8))
        let run = try bench.events("flash", image, "--all", "--name", "pump-*")
        #expect(results(run) == ["sim:pump-1": "installed", "sim:pump-2": "failed"])
        #expect(run.exitCode == 9)
    }

    @Test("An alias that another device advertises as its name is refused")
    func aliasOfAName() throws {
        let (bench, _) = try pumps(2)
        let refused = try bench.events(
            "scan", "--address", "sim:pump-1", "--remember", "Pump-2")
        #expect(refused.exitCode == 2)
        #expect(refused.error == "alias-is-a-name")
        let own = try bench.events("scan", "--address", "sim:pump-1", "--remember", "pump-1")
        #expect(own.exitCode == 0)
    }

    @Test("A report that cannot be written is told before any device is touched")
    func unwritable() throws {
        let (bench, image) = try pumps(2)
        let run = try bench.events(
            "flash", image, "--all", "--report", bench("no/such/folder/report.json"))
        #expect(run.exitCode == 9)
        #expect(run.all.map(\.name) == ["failed"])
        let before = try bench.barge("sim", "list").output
        #expect(before.contains("pump-1") && !before.contains("runs slot"))
    }

    @Test("A canary that fails keeps every other device as it was")
    func canary() throws {
        let (bench, image) = try pumps(3)
        let tooSmall = try bench.run(["sim", "create", "tiny", "--slot-size", "8KiB"])
        #expect(tooSmall.exitCode == 0)
        let run = try bench.events(
            "flash", image, "sim:tiny", "sim:pump-1", "sim:pump-2", "sim:pump-3", "--canary", "1",
            "--report", bench("report.xml"))
        #expect(run.exitCode == 6)
        #expect(
            results(run) == [
                "sim:tiny": "failed", "sim:pump-1": "canary-failed",
                "sim:pump-2": "canary-failed", "sim:pump-3": "canary-failed",
            ])
        let report = String(decoding: try #require(bench.read("report.xml")), as: UTF8.self)
        #expect(report.contains(#"tests="4" failures="1" errors="0" skipped="3""#))
    }

    @Test("With a limit of failures nothing new starts beyond it; without one the rest is done")
    func limit() throws {
        let (bench, image) = try pumps(2)
        for name in ["small-1", "small-2"] {
            _ = try bench.run(["sim", "create", name, "--slot-size", "8KiB"])
        }
        let devices = ["sim:small-1", "sim:small-2", "sim:pump-1", "sim:pump-2"]
        let stopped = try Events(
            bench.run(
                ["--json", "flash", image, "--jobs", "1", "--max-failures", "25%"] + devices))
        #expect(results(stopped)["sim:pump-1"] == "too-many-failures")
        #expect(stopped.exitCode == 6)
        let whole = try Events(bench.run(["--json", "flash", image, "--jobs", "1"] + devices))
        #expect(results(whole)["sim:pump-2"] == "installed")
        #expect(whole.exitCode == 6)
        #expect(whole.last?["failed"] == 2)
    }

    @Test("Interrupted and run again: what is done is not done twice, what was begun goes on")
    func interrupted() throws {
        let (bench, image) = try pumps(3, "--pace", "realtime")
        let line = ["flash", image, "--all", "--name", "pump-*", "--report", bench("report.json")]
        let running = try RunningBarge(["--state-dir", bench("state"), "--json"] + line)
        #expect(try running.wait { $0.name == "durable" && ($0["offset"] ?? 0) > 0 })
        #expect(try running.end(SIGINT) == 130)
        let report = String(decoding: try #require(bench.read("report.json")), as: UTF8.self)
        #expect(report.contains(#""exitCode":130"#))
        #expect(try bench.unfinished().count == 3)
        let again = try Events(bench.run(["--json"] + line))
        #expect(again.exitCode == 0)
        #expect(results(again).count == 3)
        let resumed = again.all.compactMap { event -> Int? in
            event.name == "finished" ? event["resumedFrom"] : nil
        }
        #expect(resumed.contains { $0 > 0 })
        #expect(try bench.unfinished().isEmpty)
    }

    @Test("What a run over many left unfinished is taken up by resume")
    func resume() throws {
        let (bench, image) = try pumps(2, "--pace", "realtime")
        let running = try RunningBarge(
            [
                "--state-dir", bench("state"), "--json", "flash", image, "sim:pump-1", "sim:pump-2",
            ])
        #expect(try running.wait { $0.name == "durable" && ($0["offset"] ?? 0) > 0 })
        #expect(try running.end(SIGKILL) == -SIGKILL)
        let resumed = try bench.events("resume")
        #expect(resumed.exitCode == 0)
        #expect(resumed.all.filter { $0.name == "finished" }.count == 2)
        #expect(try bench.unfinished().isEmpty)
    }

    @Test("An alias that went to another device meanwhile does not take the transfer along")
    func movedAlias() throws {
        let (bench, image) = try pumps(2, "--pace", "realtime")
        func remember(_ device: String) throws {
            let named = try bench.barge("scan", "--address", device, "--remember", "bench")
            try #require(named.exitCode == 0, "\(named.errors)")
        }
        try remember("sim:pump-1")
        let running = try bench.start("flash", image, "bench") {
            $0.name == "durable" && ($0["offset"] ?? 0) > 0
        }
        #expect(try running.end(SIGKILL) == -SIGKILL)
        #expect(try bench.barge("forget", "bench").exitCode == 0)
        try remember("sim:pump-2")
        let resumed = try bench.events("resume")
        #expect(resumed.exitCode == 3)
        #expect(resumed.error == "device-not-found")
        // It waits for its own device.
        #expect(try bench.unfinished().count == 1)
        #expect(try bench.barge("forget", "bench").exitCode == 0)
        try remember("sim:pump-1")
        #expect(try bench.events("resume").result == "installed")
        #expect(try bench.unfinished().isEmpty)
    }

    @Test("More devices at once than files may be open are done a few at a time")
    func fewFiles() throws {
        let (bench, image) = try pumps(20)
        let barge = try Binary.directory.appending(path: "barge").path
        let run = try Events(
            Binary.run(
                "/bin/sh",
                [
                    "-c", "ulimit -n 64 && exec \"$@\"", "sh", barge, "--state-dir",
                    bench("state"), "--json", "flash", image, "--all", "--name", "pump-*",
                    "--jobs", "20",
                ]))
        #expect(run.exitCode == 0)
        #expect(run.last?["succeeded"] == 20)
        #expect(run.errors.contains("8 are under way at a time"))
    }

    @Test("Devices that reboot by themselves meanwhile are flashed all the same")
    func reboots() throws {
        // Seldom enough that hardly any device reboots thrice between a reset and its confirmation,
        // which takes the new image away again.
        let (bench, image) = try pumps(6, "--reboots", "30s", "--loss", "0.02")
        let run = try bench.events("flash", image, "--all", "--name", "pump-*")
        #expect(run.exitCode == 0)
        #expect(Set(results(run).values) == ["installed"])
    }

    @Test("A file comes from many devices into a directory each")
    func pull() throws {
        let (bench, _) = try pumps(3)
        let run = try bench.events(
            "pull", "--into", bench("logs"), "device.log", "--all", "--name", "pump-*")
        #expect(run.exitCode == 0)
        for index in 1...3 {
            let log = try #require(bench.read("logs/sim:pump-\(index)/device.log"))
            #expect(String(decoding: log, as: UTF8.self).contains("boot"))
        }
        let inTheWay = try bench.events(
            "pull", "--into", try bench.write("file", [1]), "device.log", "sim:pump-1", "sim:pump-2"
        )
        #expect(inTheWay.all.map(\.name) == ["failed"])
        let missing = try bench.events(
            "pull", "--into", bench("logs"), "nothing.log", "sim:pump-1", "sim:pump-2")
        #expect(missing.exitCode == 3)
        #expect(missing.last?["failed"] == 2)
    }
}

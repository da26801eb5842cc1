import Foundation
import Testing

@testable import BargeCLI

@Suite("barge scan")
struct ScanCommandTests {
    private let state: StateFolder

    init() throws {
        state = try StateFolder()
        _ = try state.run(
            "sim create pump --rssi -80 --manufacturer 0x0059:01ff --service-data FEAA:10eb")
        _ = try state.run("sim create valve --rssi -40")
    }

    @Test(
        "Each filter lets through what matches it",
        arguments: [
            ("", ["sim:demo", "sim:pump", "sim:valve"]), ("--rssi -60", ["sim:demo", "sim:valve"]),
            ("--rssi=-45", ["sim:valve"]), ("--name pu*", ["sim:pump"]),
            ("--address sim:pump", ["sim:pump"]), ("--manufacturer 0x0059", ["sim:pump"]),
            ("--manufacturer 0x0059:01", ["sim:pump"]), ("--manufacturer 0x0059:02", []),
            ("--manufacturer 0x0060", []), ("--service-data FEAA", ["sim:pump"]),
            ("--service-data FEAA:10EB", ["sim:pump"]), ("--service-data FEAA:11", []),
            ("--service 180A", []), ("--rssi -60 --name pump", []),
        ])
    func filters(words: String, expected: [String]) throws {
        let answer = try state.run("scan --json \(words)")
        #expect(answer.exitCode == 0)
        let devices = try answer.objects().compactMap { $0["device"] as? String }
        #expect(devices.sorted() == expected)
    }

    @Test("A device says all that it advertises to scripts")
    func record() throws {
        let found = try #require(try state.run("scan --json --name pump").objects().first)
        #expect(found["rssi"] as? Int == -80)
        #expect(found["manufacturer"] as? String == "0x0059:01FF")
        #expect(found["serviceData"] as? [String: String] == ["FEAA": "10EB"])
        #expect((found["serviceUUIDs"] as? [String])?.count == 1)
        #expect(found["alias"] is NSNull && found["serial"] is NSNull)
    }

    @Test("The table has the strongest first")
    func table() throws {
        let answer = try state.run("scan")
        #expect(answer.lines.map { $0.prefix(8) } == ["sim:valv", "sim:demo", "sim:pump"])
        #expect(answer.lines.first == "sim:valve  valve  -40 dBm  barge")
    }

    @Test("An alias stands for its device, wherever that is, until it is forgotten")
    func remembering() throws {
        _ = try state.run("sim create rover --changes-address")
        let answer = try state.barge(
            "scan", "--address", "sim:rover", "--remember", "Rover 1", "--json")
        #expect(answer.exitCode == 0, "\(answer.errors)")
        let event = try answer.objects().last
        #expect(event?["event"] as? String == "remembered")
        #expect(event?["serial"] as? String == "SIM-rover")
        _ = try state.run("sim reboot rover")
        let info = try state.barge("info", "rover 1", "--json")
        #expect(try info.facts()["serial"] as? String == "SIM-rover", "\(info.errors)")
        let found = try state.run("scan --json --address sim:rover").objects().first
        #expect(found?["device"] as? String == "sim:rover#2")
        #expect(found?["alias"] as? String == "Rover 1")
        let known = try state.run("scan --known")
        #expect(known.output.hasPrefix("Rover 1  SIM-rover  barge-sim  sim:rover#2 sim:rover  2"))
        #expect(try state.barge("forget", "Rover 1").exitCode == 0)
        #expect(try state.run("scan --known").output == "no device is remembered\n")
        #expect(try state.barge("info", "Rover 1").exitCode == 3)
    }

    @Test("One device alone gets an alias: none and several are told apart, with names")
    func oneAlone() throws {
        let none = try state.run("scan --name pmup --remember x")
        #expect(none.exitCode == 3)
        #expect(none.errors.contains("near: pump"))
        let several = try state.run("scan --remember x")
        #expect(several.exitCode == 2)
        #expect(several.errors.contains("sim:valve, sim:demo, sim:pump"))
        #expect(try state.run("scan --known").output == "no device is remembered\n")
    }

    @Test("An alias is one device's: a taken one is refused with its owner, and so is a bad one")
    func taken() throws {
        #expect(try state.run("scan --name pump --remember one").exitCode == 0)
        let first = try state.run("scan --name valve --remember ONE --json")
        #expect(first.exitCode == 2)
        #expect(first.errors.contains("serial SIM-pump"))
        // The device is known now: it need not be asked who it is.
        let second = try state.run("scan --name valve --remember one --json")
        #expect(try second.objects().last?["error"] as? String == "alias-taken")
        #expect(try state.run("scan --name pump --remember one").exitCode == 0)
        #expect(try state.run("scan --name valve --remember SIM-pump").exitCode == 2)
        #expect(try state.run("scan --name valve --remember sim:x").exitCode == 2)
    }

    @Test("A damaged record is a warning, and keeps nothing from being listed")
    func damaged() throws {
        #expect(try state.run("scan --name pump --remember one").exitCode == 0)
        #expect(try state.run("scan --name valve --remember two").exitCode == 0)
        let folder = state.path + "/devices"
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        let record = try #require(names.first { $0.hasSuffix(".device") })
        try Data("?".utf8).write(to: URL(filePath: folder + "/" + record))
        let known = try state.run("scan --known")
        #expect(known.exitCode == 0)
        #expect(known.lines.count == 1)
        #expect(known.errors.contains("warning: a known device's file was damaged"))
    }

    @Test("What is remembered is told to scripts without a radio")
    func known() throws {
        #expect(try state.run("scan --name pump --remember one").exitCode == 0)
        let event = try #require(try state.run("scan --known --json").objects().first)
        #expect(event["event"] as? String == "known")
        #expect(event["device"] as? String == "sim:pump")
        #expect(event["alias"] as? String == "one")
        #expect(event["name"] as? String == "pump")
        #expect(event["addresses"] as? [String] == ["sim:pump"])
        #expect(try state.run("scan --known --rssi -70").exitCode == 2)
    }
}

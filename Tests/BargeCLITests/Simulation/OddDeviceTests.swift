import Foundation
import Testing

@testable import BargeCLI

@Suite("Simulated devices that are out of the ordinary")
struct OddDeviceTests {
    private let state: StateFolder

    init() throws { state = try StateFolder() }

    @Test("All that is odd about a device is kept, listed and told to scripts, its passkey aside")
    func options() throws {
        let made = try state.run(
            "sim create x --pairing display --passkey 012345 --key-bytes 9 --legacy-pairing "
                + "--refuses-comparison --refuses-new-bond --security authenticated "
                + "--changes-address --stale-name 250 --reboots 5m --rssi -70 "
                + "--manufacturer 0x0059:01ff --service-data feaa:10eb --json")
        let facts = try made.facts()
        #expect(facts["pairing"] as? String == "display")
        #expect(facts["fixedPasskey"] as? Bool == true)
        #expect(facts["keyBytes"] as? Int == 9)
        #expect(facts["legacyPairing"] as? Bool == true)
        #expect(facts["refusesComparison"] as? Bool == true)
        #expect(facts["refusesNewBond"] as? Bool == true)
        #expect(facts["security"] as? String == "authenticated")
        #expect(facts["changesAddress"] as? Bool == true)
        #expect(facts["staleNameSeconds"] as? Double == 0.25)
        #expect(facts["rebootsSeconds"] as? Double == 300)
        #expect(facts["rssi"] as? Int == -70)
        #expect(facts["manufacturer"] as? String == "0x0059:01FF")
        #expect(facts["serviceData"] as? String == "FEAA:10EB")
        #expect(!made.output.contains("012345"))
        let list = try state.barge("sim", "list")
        for words in ["pairs with display", "legacy pairing", "changes its address", "-70 dBm"] {
            #expect(list.lines.last?.contains(words) == true, "\(words)")
        }
        #expect(!list.output.contains("012345"))
        #expect(try state.barge("sim", "list", "--json").objects().count == 2)
    }

    @Test("A device.conf of version 1 is that of a device without oddities")
    func older() throws {
        let text = """
            barge-sim-device 1
            phy 2m
            data-length 251
            interval-us 30000
            att-mtu 247
            coc yes
            loss 0.0
            unlimited no
            pace max
            seed 1
            slot-size 1048576
            window-bits 12
            block-size 4096

            """
        #expect(try SimulatedDeviceSettings(Array(text.utf8)) == SimulatedDeviceSettings())
    }

    @Test(
        "What could never be talked to is a wrong command line",
        arguments: [
            "--security authenticated", "--security fips --pairing display --legacy-pairing",
            "--security fips --pairing keyboard --key-bytes 15", "--passkey 123456",
        ])
    func contradictions(words: String) throws {
        let answer = try state.run("sim create x \(words)")
        #expect(answer.exitCode == 2)
        #expect(answer.errors.contains("contradict each other"))
    }

    @Test(
        "Numbers below zero are values, and digits that do not fit are not repeated",
        arguments: [("--rssi -70", 0), ("--rssi=-70", 0), ("--rssi -128", 2), ("--rssi 21", 2)])
    func negative(words: String, code: Int32) throws {
        #expect(try state.run("sim create x \(words)").exitCode == code)
    }

    @Test("A passkey that is none is refused without being repeated")
    func secret() throws {
        let answer = try state.run("sim create x --pairing display --passkey 98765 --json")
        #expect(answer.exitCode == 2)
        #expect(!answer.output.contains("98765") && !answer.errors.contains("98765"))
    }

    @Test("Many devices are made at once, numbered to one width, each with a seed of its own")
    func many() throws {
        let answer = try state.run("sim create pump --count 12 --seed 7 --json")
        let objects = try answer.objects()
        let names = (1...12).map { "sim:pump-\($0 < 10 ? "0" : "")\($0)" }
        #expect(objects.map { $0["device"] as? String } == names)
        let seeds = objects.map { ($0["facts"] as? [String: Any])?["seed"] as? Int }
        #expect(seeds == (7...18).map { $0 })
        #expect(try state.barge("info", "sim:pump-12").exitCode == 0)
    }

    @Test("Where one of many is there already, none is made")
    func manyExist() throws {
        _ = try state.run("sim create pump-3")
        let answer = try state.run("sim create pump --count 5")
        #expect(answer.exitCode == 6)
        #expect(answer.errors.contains("sim:pump-3"))
        #expect(try state.barge("sim", "list").lines.count == 2)
    }

    private func addresses() throws -> [String] {
        try state.barge("scan", "--name", "pump", "--json").objects().compactMap {
            $0["device"] as? String
        }
    }

    @Test("A device that changes its address has another one after each reset, for every process")
    func address() throws {
        _ = try state.run("sim create pump --changes-address")
        #expect(try addresses() == ["sim:pump"])
        _ = try state.barge("info", "sim:pump")
        #expect(try addresses() == ["sim:pump"])
        _ = try state.barge("sim", "reboot", "pump")
        #expect(try addresses() == ["sim:pump#2"])
        let image = FileManager.default.temporaryDirectory
            .appending(path: "barge-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: image) }
        try Data("an image of a test".utf8).write(to: URL(filePath: image))
        let flashed = try state.barge("flash", image, "sim:pump")
        #expect(flashed.exitCode == 0, "\(flashed.errors)")
        #expect(try addresses() == ["sim:pump#3"])
        #expect(try state.text("state", of: "pump").contains("boot-id 3\nrunning b\n"))
        #expect(try state.barge("info", "sim:pump").exitCode == 0)
    }

    @Test("What a device advertises besides is heard")
    func advertised() throws {
        _ = try state.run("sim create pump --rssi -70")
        let heard = try state.barge("scan", "--name", "pump", "--json").objects()
        #expect(heard.first?["rssi"] as? Int == -70)
    }

    @Test("A device that reboots of its own accord gets its file all the same")
    func reboots() throws {
        _ = try state.run("sim create pump --reboots 3s --phy 1m --data-length 27")
        let file = FileManager.default.temporaryDirectory
            .appending(path: "barge-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: file) }
        try Data(Bench.noise(150_000)).write(to: URL(filePath: file))
        let pushed = try state.barge("push", file, "sim:pump", "noise", "--json")
        #expect(pushed.exitCode == 0, "\(pushed.errors)")
        #expect(pushed.output.contains(#""result":"copied""#))
        let facts = try state.barge("sim", "list", "--json").objects().last?["facts"]
        #expect(((facts as? [String: Any])?["boots"] as? Int ?? 0) > 1)
    }
}

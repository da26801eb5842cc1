import Foundation
import Testing

@testable import BargeCLI

@Suite("barge sim and barge scan")
struct SimulationCommandTests {
    private let state: StateFolder

    init() throws { state = try StateFolder() }

    @Test("A device is made, listed, heard and removed")
    func life() throws {
        #expect(try state.barge("sim", "create", "pump").output.hasPrefix("created sim:pump"))
        let list = try state.barge("sim", "list")
        #expect(list.lines.map { $0.prefix(8) } == ["sim:demo", "sim:pump"])
        let scan = try state.barge("scan", "--name", "pu*", "--json")
        #expect(try scan.objects().map { $0["device"] as? String } == ["sim:pump"])
        #expect(try scan.objects().first?["speaksBarge"] as? Bool == true)
        let removed = try state.barge("sim", "rm", "pump", "--json")
        #expect(try removed.objects().map { $0["event"] as? String } == ["removed"])
        #expect(try state.barge("sim", "list").output.contains("pump") == false)
        #expect(!FileManager.default.fileExists(atPath: state.file("", of: "pump")))
    }

    @Test("All that a device is made with is kept and told")
    func options() throws {
        let made = try state.run(
            "sim create x --no-coc --att-mtu 23 --phy coded-s2 --data-length 27 --interval 8.75 "
                + "--loss 0.25 --slot-size 9000 --window-bits 9 --block-size 256 --seed 7 "
                + "--pace realtime --power-cut-after 1KiB --json")
        let facts = try made.facts()
        #expect(facts["phy"] as? String == "coded-s2")
        #expect(facts["dataLength"] as? Int == 27)
        #expect(facts["intervalMilliseconds"] as? Double == 8.75)
        #expect(facts["attMTU"] as? Int == 23)
        #expect(facts["coc"] as? Bool == false)
        #expect(facts["loss"] as? Double == 0.25)
        // 9000 bytes are three sectors of 4096 bytes.
        #expect(facts["slotSize"] as? Int == 12_288)
        #expect(facts["windowBits"] as? Int == 9)
        #expect(facts["blockSize"] as? Int == 256)
        #expect(facts["seed"] as? Int == 7)
        #expect(facts["pace"] as? String == "realtime")
        #expect(facts["powerCutAfter"] as? Int == 1_024)
        let listed = try state.barge("sim", "list", "--json").objects()
        #expect(listed.last?["facts"] as? NSDictionary == facts as NSDictionary)
    }

    @Test(
        "What cannot be made is a wrong command line, and the advice has what can be",
        arguments: [
            ("--interval 8", "'--interval 7.5' or '--interval 8.75'"),
            ("--block-size 5000", "'--block-size 4096' or '--block-size 8192'"),
            ("--loss 1", "'--loss 0.2'"),
            ("--unlimited --phy 1m", "leave one of them out"),
            ("--block-size 128KiB", "'barge sim create --help'"),
            ("--slot-size 1KiB", "'barge sim create --help'"),
            ("--data-length 26", "'barge sim create --help'"),
        ])
    func badOptions(words: String, advice: String) throws {
        let answer = try state.run("sim create x \(words)")
        #expect(answer.exitCode == 2)
        #expect(answer.isOneFailure)
        #expect(answer.errors.contains(advice))
        #expect(try state.barge("sim", "list").lines.count == 1)
    }

    @Test("A second device of one name is refused, and the first one stays")
    func exists() throws {
        _ = try state.barge("sim", "create", "pump", "--seed", "5")
        let answer = try state.barge("sim", "create", "pump", "--seed", "6")
        #expect(answer.exitCode == 6)
        #expect(answer.isOneFailure)
        #expect(try state.text("device.conf", of: "pump").contains("seed 5\n"))
    }

    @Test("A device that is not there is not found, by any command", arguments: ["rm", "reboot"])
    func missing(command: String) throws {
        let answer = try state.barge("sim", command, "nobody")
        #expect(answer.exitCode == 3)
        #expect(answer.isOneFailure)
    }

    @Test("sim:demo is there without being made, with files on it; removing it makes it new")
    func demonstration() throws {
        #expect(
            try state.barge("scan", "--json").objects().first?["device"] as? String == "sim:demo")
        #expect(try state.text("files/welcome.txt", of: "demo").contains("barge info sim:demo"))
        try state.write("changed", to: "files/welcome.txt", of: "demo")
        #expect(try state.barge("sim", "rm", "demo").exitCode == 0)
        #expect(try state.barge("sim", "rm", "demo").exitCode == 0)
        _ = try state.barge("scan")
        #expect(try state.text("files/welcome.txt", of: "demo") != "changed")
    }

    @Test("A reboot boots: the device counts it, and its log tells of it")
    func reboot() throws {
        _ = try state.barge("sim", "create", "pump")
        _ = try state.barge("sim", "reboot", "pump")
        let second = try state.barge("sim", "reboot", "pump", "--json").facts()
        #expect(second["runningSlot"] as? String == "a")
        #expect(second["bootReason"] as? String == "permanent")
        #expect(try state.text("state", of: "pump").contains("boot-id 2\nrunning a\n"))
        let log = try state.text("files/device.log", of: "pump").split(separator: "\n")
        #expect(log.map { $0.prefix(7) } == ["boot 1,", "boot 2,"])
    }

    @Test("What a killed process left behind half-way is no device, and is swept")
    func leftovers() throws {
        _ = try state.barge("sim", "create", "a")
        for name in [".making-x", ".removing-y"] {
            try FileManager.default.createDirectory(
                atPath: state.file("files", of: name), withIntermediateDirectories: true)
        }
        #expect(try state.barge("sim", "list").lines.count == 2)
        _ = try state.barge("sim", "create", "b")
        let left = try FileManager.default.contentsOfDirectory(atPath: state.path + "/sim")
        #expect(left.sorted() == [".lock", "a", "b"])
    }

    @Test("A shell is offered the devices that there are")
    func completion() throws {
        _ = try state.barge("sim", "create", "pump")
        _ = try state.barge("scan", "--name", "pump", "--remember", "Pump 7")
        let known = CommandTable.standard.devices(state.path)
        #expect(known == ["sim:demo", "sim:pump", "Pump 7"])
        #expect(CommandTable.standard.devices("/nonexistent") == ["sim:demo"])
    }
}

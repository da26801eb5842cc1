import Foundation
import Testing

@testable import BargeCLI

@Suite("Simulated devices whose files are broken")
struct BrokenDeviceTests {
    private let state: StateFolder

    init() throws {
        state = try StateFolder()
        _ = try state.barge("sim", "create", "pump")
        _ = try state.barge("sim", "reboot", "pump")
    }

    @Test(
        "A damaged file is named, with the way out",
        arguments: ["device.conf", "state", "flash.bin"])
    func damaged(name: String) throws {
        try state.write("nothing that barge wrote\n", to: name, of: "pump")
        let answer = try state.barge("sim", "reboot", "pump")
        #expect(answer.exitCode == 9)
        #expect(answer.isOneFailure)
        #expect(answer.errors.contains("/pump/\(name)'"))
        #expect(answer.errors.contains("'barge sim rm pump'"))
        #expect(try state.barge("sim", "rm", "pump").exitCode == 0)
        #expect(try state.barge("sim", "create", "pump").exitCode == 0)
    }

    @Test(
        "A file of a later version is told apart from damage", arguments: ["device.conf", "state"])
    func newer(name: String) throws {
        let old = try state.text(name, of: "pump")
        let end = try #require(old.firstIndex(of: "\n"))
        let head = old[..<end].split(separator: " ")
        try state.write("\(head[0]) 3\nwho knows\n", to: name, of: "pump")
        let answer = try state.barge("sim", "reboot", "pump", "--json")
        #expect(answer.exitCode == 9)
        #expect(try answer.objects().last?["error"] as? String == "newer-version")
        #expect(answer.errors.contains("later version of barge"))
    }

    @Test("A flash cut short or with a flipped header is damaged")
    func flash() throws {
        let url = URL(filePath: state.file("flash.bin", of: "pump"))
        let whole = try Data(contentsOf: url)
        var flipped = whole
        flipped[20] ^= 1
        for bad in [flipped, whole.dropLast(), Data()] {
            try bad.write(to: url)
            let answer = try state.barge("sim", "reboot", "pump")
            #expect(answer.exitCode == 9)
            #expect(answer.errors.contains("flash.bin"))
        }
    }

    @Test("A device whose only image was damaged does not start, and says so with 7")
    func image() throws {
        let url = URL(filePath: state.file("flash.bin", of: "pump"))
        var bytes = try Data(contentsOf: url)
        // Behind the header of 64 bytes and five sectors begins slot A.
        bytes[64 + 5 * 4_096] ^= 1
        try bytes.write(to: url)
        let answer = try state.barge("sim", "reboot", "pump")
        #expect(answer.exitCode == 7)
        #expect(answer.isOneFailure)
    }

    @Test("A missing state is a device that was switched off; missing settings are damage")
    func missing() throws {
        try FileManager.default.removeItem(atPath: state.file("state", of: "pump"))
        #expect(try state.barge("sim", "reboot", "pump").exitCode == 0)
        try FileManager.default.removeItem(atPath: state.file("device.conf", of: "pump"))
        #expect(try state.barge("sim", "reboot", "pump").exitCode == 9)
    }

    @Test("A broken device does not keep the others from being listed and heard")
    func others() throws {
        _ = try state.barge("sim", "create", "good")
        try state.write("?", to: "device.conf", of: "pump")
        let list = try state.barge("sim", "list")
        #expect(list.exitCode == 0)
        #expect(list.lines.count == 3)
        #expect(list.output.contains("unusable"))
        let scan = try state.barge("scan", "--json")
        #expect(scan.exitCode == 0)
        let heard = try scan.objects().compactMap { $0["device"] as? String }
        #expect(heard.sorted() == ["sim:demo", "sim:good"])
        #expect(scan.errors.contains("sim:pump is left out"))
    }

    @Test("A state directory where nobody may write, not even root, is named")
    func readOnly() throws {
        let path = "/proc/barge"
        let answer = try Binary.barge("sim", "create", "x", "--state-dir", path)
        #expect(answer.exitCode == 9)
        #expect(answer.isOneFailure)
        #expect(answer.errors.contains(path))
    }

    @Test("A state directory that is a file, or lies behind one, is named")
    func notADirectory() throws {
        let path = state.file("device.conf", of: "pump")
        let answer = try Binary.barge("sim", "create", "x", "--state-dir", path)
        #expect(answer.isOneFailure)
        #expect(answer.errors.contains(path))
        #expect([3, 9].contains(answer.exitCode))
    }
}

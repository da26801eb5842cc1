import Barge
import BargePeripheral
import BluetoothSimulation
import Testing

@testable import BargeCLI

@Suite("The text files of a simulated device")
struct KeyValueTextTests {
    private func read(_ text: String) throws(KeyValueText.Problem) -> KeyValueText {
        try KeyValueText(Array(text.utf8), kind: "kind", version: 2)
    }

    @Test("Keys are taken out one by one, and none may be left")
    func keys() throws {
        var text = try read("kind 1\na 1\nb two words\n")
        #expect(try text.take("a", wholeNumber) == 1)
        #expect(throws: KeyValueText.Problem.damaged("'b' has no meaning")) { try text.finish() }
        #expect(try text.take("b") { $0 } == "two words")
        try text.finish()
        #expect(throws: KeyValueText.Problem.damaged("'b' is missing")) {
            try text.take("b") { $0 }
        }
    }

    @Test("A value that does not parse is damage, and the sentence shows it")
    func badValue() throws {
        var text = try read("kind 2\na x\n")
        #expect(throws: KeyValueText.Problem.damaged("'a x' makes no sense")) {
            try text.take("a", wholeNumber)
        }
    }

    @Test("A later version is told apart from damage, whatever follows")
    func newer() {
        #expect(throws: KeyValueText.Problem.newer(version: 3)) { try read("kind 3\n\u{0}?") }
    }

    @Test(
        "What was not written by us is damaged",
        arguments: [
            "", "\n", "kind\n", "kind 0\n", "kind -1\n", "kind x\n", "other 1\n", "kind 1",
            "kind 1\na 1", "kind 1\na\n", "kind 1\n 1\n", "kind 1\na \n", "kind 1\n\n",
            "kind 1\na 1\na 2\n", "kind  1\n", " kind 1\n",
        ])
    func damaged(text: String) {
        let problem = #expect(throws: KeyValueText.Problem.self) { try read(text) }
        guard case .damaged = problem else {
            Issue.record("\(text.debugDescription) reads as \(String(describing: problem))")
            return
        }
    }

    @Test("Bytes that are not UTF-8, and files without an end, are damaged")
    func bytes() {
        #expect(throws: KeyValueText.Problem.damaged("it is not UTF-8")) {
            try KeyValueText([0x6B, 0xFF], kind: "kind", version: 1)
        }
        let long = [UInt8](repeating: 0x61, count: KeyValueText.maximumBytes + 1)
        #expect(throws: KeyValueText.Problem.damaged("it is too long")) {
            try KeyValueText(long, kind: "kind", version: 1)
        }
    }
}

@Suite("The settings of a simulated device")
struct SimulatedDeviceSettingsTests {
    static let unusual: SimulatedDeviceSettings = {
        var settings = SimulatedDeviceSettings()
        settings.phy = .codedS8
        settings.dataLengthBytes = 27
        settings.intervalMicroseconds = 8_750
        settings.attMTU = 517
        settings.hasChannels = false
        settings.loss = 0.000_01
        settings.pace = .realtime
        settings.seed = .max
        settings.slotBytes = 8_192
        settings.windowBits = 15
        settings.blockBytes = 32_768
        return settings
    }()

    @Test("They come back from their text as they were", arguments: [.init(), unusual])
    func roundTrip(settings: SimulatedDeviceSettings) throws {
        #expect(try SimulatedDeviceSettings(Array(settings.text.utf8)) == settings)
    }

    @Test(
        "A value that no command line could have given is damage",
        arguments: [
            ("phy 2m", "phy 3m"), ("data-length 251", "data-length 252"),
            ("interval-us 30000", "interval-us 30001"), ("interval-us 30000", "interval-us 6250"),
            ("att-mtu 247", "att-mtu 22"), ("coc yes", "coc maybe"), ("loss 0.0", "loss 1.0"),
            ("loss 0.0", "loss nan"), ("loss 0.0", "loss -0.1"), ("pace max", "pace slow"),
            ("seed 1", "seed -1"), ("slot-size 1048576", "slot-size 4097"),
            ("slot-size 1048576", "slot-size 0"), ("window-bits 12", "window-bits 8"),
            ("block-size 4096", "block-size 4097"), ("block-size 4096", "block-size 65536"),
        ])
    func range(line: (good: String, bad: String)) {
        let text = SimulatedDeviceSettings().text
        #expect(text.contains(line.good + "\n"))
        let bad = text.split(separator: "\n").map { $0 == line.good ? line.bad : String($0) }
        #expect(throws: KeyValueText.Problem.damaged("'\(line.bad)' makes no sense")) {
            try SimulatedDeviceSettings(Array((bad.joined(separator: "\n") + "\n").utf8))
        }
    }

    @Test("No beginning of the text passes for the whole")
    func cutShort() {
        let bytes = Array(Self.unusual.text.utf8)
        for count in 0..<bytes.count {
            #expect(throws: KeyValueText.Problem.self) {
                try SimulatedDeviceSettings(Array(bytes[..<count]))
            }
        }
    }
}

@Suite("The state of a simulated device")
struct DeviceStateTests {
    @Test(
        "It comes back from its text as it was",
        arguments: [
            DeviceState(),
            DeviceState(
                bootID: .max, running: .b,
                centralBond: SimulatedBond(level: .authenticated, keyBytes: 7), powerCutBytes: 0),
            DeviceState(
                bootID: 1, running: .a, centralBond: SimulatedBond(level: .fips),
                deviceBond: SimulatedBond(), powerCutBytes: 1 << 40),
        ])
    func roundTrip(state: DeviceState) throws {
        #expect(try DeviceState(Array(state.text.utf8)) == state)
    }

    @Test(
        "A file of version 1 is read: its keys are those that Just Works makes",
        arguments: [(true, false), (false, true), (true, true), (false, false)])
    func older(central: Bool, device: Bool) throws {
        let text = """
            barge-sim-state 1
            boot-id 3
            running a
            central-has-keys \(central ? "yes" : "no")
            device-has-keys \(device ? "yes" : "no")
            power-cut none

            """
        let bond = SimulatedBond(level: .encrypted, keyBytes: 16)
        let expected = DeviceState(
            bootID: 3, running: .a, centralBond: central ? bond : nil,
            deviceBond: device ? bond : nil)
        #expect(try DeviceState(Array(text.utf8)) == expected)
        #expect(throws: KeyValueText.Problem.self) {
            try DeviceState(Array(text.replacing("-state 1", with: "-state 2").utf8))
        }
    }

    @Test(
        "A bond that cannot be is damage",
        arguments: ["none 16", "encrypted", "encrypted 6", "encrypted 17", "fips 16 16", "wild 16"])
    func badBond(text: String) {
        let whole = DeviceState().text
        let bad = whole.replacing("device-bond none", with: "device-bond \(text)")
        #expect(bad != whole)
        #expect(throws: KeyValueText.Problem.damaged("'device-bond \(text)' makes no sense")) {
            try DeviceState(Array(bad.utf8))
        }
    }

    @Test("No beginning of the text passes for the whole")
    func cutShort() {
        let bytes = Array(DeviceState(bootID: 12, running: .a, powerCutBytes: 77).text.utf8)
        for count in 0..<bytes.count {
            #expect(throws: KeyValueText.Problem.self) { try DeviceState(Array(bytes[..<count])) }
        }
    }
}

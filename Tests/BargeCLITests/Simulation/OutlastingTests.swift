import Barge
import BluetoothSimulation
import Foundation
import Testing

@testable import BargeCLI

@Suite("A simulated device outlasts the process")
struct OutlastingTests {
    private let state: StateFolder

    init() throws {
        state = try StateFolder()
        _ = try state.barge("sim", "create", "pump")
    }

    private func open(_ path: String) async throws -> (bench: SimulatedBench, peer: PeerID) {
        let bench = try SimulatedBench(for: ["pump"], stateDirectory: path)
        // A process that another test starts holds a copy of a lock between its fork and its exec.
        return (bench, try await bench.enter("pump", patience: .seconds(60)))
    }

    /// Flashes an image in this process, and shows each event to `observe`.
    private func flash(
        confirms: Bool, observe: @escaping (TransferEvent) -> Void = { _ in }
    ) async throws {
        let device = try await open(state.path)
        let host = BargeHost(central: device.bench.radio.central)
        var flashing = FlashOptions()
        flashing.confirms = confirms
        let image = UploadSource(bytes: Array("an image of a test".utf8), name: "image")
        _ = try await host.flash(image, to: .peer(device.peer), flashing: flashing, events: observe)
        try device.bench.leave("pump")
    }

    private func running(_ path: String) async throws -> (index: Int, isConfirmed: Bool)? {
        let device = try await open(path)
        let host = BargeHost(central: device.bench.radio.central)
        let information = try await host.information(of: .peer(device.peer))
        try device.bench.leave("pump")
        return information.slots.first { $0.isRunning }.map { ($0.index, $0.isConfirmed) }
    }

    @Test("An image on trial goes on running for the next process, and gives way at a reboot")
    func trial() async throws {
        try await flash(confirms: false)
        #expect(try state.text("state", of: "pump").contains("running b\n"))
        let next = try #require(try await running(state.path))
        #expect(next.index == 1)
        #expect(!next.isConfirmed)
        let rebooted = try state.barge("sim", "reboot", "pump", "--json").facts()
        #expect(rebooted["bootReason"] as? String == "reverted")
        #expect(rebooted["runningSlot"] as? String == "a")
    }

    @Test("A confirmed image stays, and both sides keep their keys")
    func confirmed() async throws {
        try await flash(confirms: true)
        let rebooted = try state.barge("sim", "reboot", "pump", "--json").facts()
        #expect(rebooted["runningSlot"] as? String == "b")
        let kept = try state.text("state", of: "pump")
        #expect(kept.contains("central-bond encrypted 16\ndevice-bond encrypted 16\n"))
    }

    @Test("Files with keys are for their owner alone")
    func permissions() async throws {
        try await flash(confirms: true)
        for name in ["state", "device.conf"] {
            let attributes = try FileManager.default.attributesOfItem(
                atPath: state.file(name, of: "pump"))
            #expect(attributes[.posixPermissions] as? Int == 0o600, "\(name)")
        }
    }

    @Test("A device whose folder is gone is damage of this computer, not a device not found")
    func folderGone() {
        let keeper = StateKeeper(path: state.path + "/gone/state", state: nil)
        keeper.keep(DeviceState())
        let failure = #expect(throws: Failure.self) { try keeper.check() }
        #expect(failure?.exitCode == .localInputOutput)
        #expect(failure?.identifier == "damaged-state")
    }

    @Test("A process that is killed during the reset leaves a device that boots when next opened")
    func killedInReset() async throws {
        let copy = state.path + "-killed"
        defer { try? FileManager.default.removeItem(atPath: copy) }
        var texts: [String] = []
        try await flash(confirms: true) { [state] event in
            guard case .rebooting = event else { return }
            // What a kill at this moment would leave behind.
            try? FileManager.default.copyItem(atPath: state.path, toPath: copy)
            texts.append((try? state.text("state", of: "pump")) ?? "")
        }
        #expect(texts.map { $0.contains("boot-id 1\nrunning none\n") } == [true])
        let booted = try #require(try await running(copy))
        #expect(booted.index == 1)
        #expect(!booted.isConfirmed)
        let after = try String(contentsOfFile: copy + "/sim/pump/state", encoding: .utf8)
        #expect(after.contains("boot-id 2\nrunning b\n"))
    }

    @Test("A state that names a slot without an image is not believed: the device boots")
    func wrongSlot() async throws {
        _ = try state.barge("sim", "reboot", "pump")
        let text = try state.text("state", of: "pump")
        try state.write(
            text.replacingOccurrences(of: "running a", with: "running b"), to: "state", of: "pump")
        let booted = try #require(try await running(state.path))
        #expect(booted.index == 0)
        #expect(try state.text("state", of: "pump").contains("boot-id 2\nrunning a\n"))
    }

    @Test("A power cut strikes once, in whichever process, and the update survives it")
    func powerCut() async throws {
        _ = try state.barge("sim", "rm", "pump")
        _ = try state.barge("sim", "create", "pump", "--power-cut-after", "4500")
        let before = try state.text("state", of: "pump")
        #expect(before.contains("power-cut 4500\n"))
        // Erasing the first sector of the slot takes 4096 bytes, recording that it begins 4096
        // more: the cut falls into the update.
        try await flash(confirms: true)
        #expect(try state.text("state", of: "pump").contains("power-cut none\n"))
        let log = try state.text("files/device.log", of: "pump")
        #expect(log.contains("boot 3,"))
        #expect(try await running(state.path)?.index == 1)
    }
}

import Barge
import BargePeripheral
import Bluetooth
import BluetoothSimulation
import Testing

@Suite("What carries a transfer may be CoC or GATT, and may break anywhere")
struct FaultTests {
    @Test(
        "BTP-027: over GATT every ATT MTU from 23 to 517 carries a file both ways",
        arguments: [23, 24, 27, 64, 185, 247, 498, 517])
    func attributes(mtu: Int) async throws {
        var settings = Bench.Settings()
        settings.profile.psm = nil
        settings.configuration.hasChannels = false
        settings.configuration.attMTU = mtu
        let bench = try Bench(settings)
        let bytes = Noise(seed: 5).bytes(20_000)
        let folder = try TemporaryFolder()
        let summary = try await bench.host.push(
            UploadSource(bytes: bytes, name: "a"), to: bench.device, as: "a")
        #expect(summary.route == .gatt)
        #expect(summary.routeReason == "the device publishes no PSM")
        let destination = try DownloadDestination(localPath: folder("a"), remoteName: "a")
        _ = try await bench.host.pull("a", from: bench.device, to: destination)
        #expect(folder.read("a") == bytes)
    }

    @Test(
        "A link that dies at any packet of a push costs a block and what was under way, no more",
        arguments: [1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 233, 377], [true, false])
    func lostLink(packet: Int, overCoC: Bool) async throws {
        var settings = Bench.Settings()
        if !overCoC { settings.profile.psm = nil }
        let bench = try Bench(settings)
        let bytes = Noise(seed: 6).bytes(100_000)
        bench.radio.withWorld {
            $0.cutLink(to: Bench.peer, afterDataPackets: packet, notice: .supervisionTimeout)
        }
        var events: [TransferEvent] = []
        let summary = try await bench.host.push(
            UploadSource(bytes: bytes, name: "a"), to: bench.device, as: "a"
        ) { events.append($0) }
        #expect(summary.result == .copied)
        let underWay = 64 * 1024 + 4096
        #expect(summary.sentBytes <= UInt64(100_000 + 100_000 / 200 + underWay + 2000))
        let files = try await bench.host.files(on: bench.device)
        #expect(files.first?.size == 100_000)
    }

    @Test(
        "Power that fails at any byte of an update is taken up again, and the image gets there",
        arguments: [1, 100, 4096, 5000, 20_000, 60_000, 123_456, 200_000])
    func powerCut(byte: Int) async throws {
        let bench = try Bench()
        let image = Noise(seed: 7).bytes(100_000)
        bench.radio.withWorld { world in
            let device = world.application(of: Bench.peer) as? MemoryDevice
            device?.storage.slots?.flash.cutPower(
                PowerCut(afterBytes: byte, damage: .garbageUnit, seed: 3))
        }
        let summary = try await bench.host.flash(
            UploadSource(bytes: image, name: "fw"), to: bench.device)
        #expect(summary.result == .installed)
    }
}

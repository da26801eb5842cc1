import Barge
import BargePeripheral
import Bluetooth
import BluetoothSimulation
import Testing

@Suite("A host and a simulated device move objects end to end")
struct EndToEndTests {
    @Test("A file is pushed over a channel, listed, and found unchanged the second time")
    func push() async throws {
        let bench = try Bench()
        let bytes = Noise(seed: 3).bytes(100_000)
        let summary = try await bench.host.push(
            UploadSource(bytes: bytes, name: "a.bin"), to: bench.device, as: "a.bin")
        #expect(summary.result == .copied)
        #expect(summary.route == .coc)
        #expect(summary.bytes == 100_000)
        let files = try await bench.host.files(on: bench.device)
        #expect(files.map(\.name) == ["a.bin"])
        #expect(files.first?.size == 100_000)
        let again = try await bench.host.push(
            UploadSource(bytes: bytes, name: "a.bin"), to: bench.device, as: "a.bin")
        #expect(again.result == .unchanged)
    }

    @Test("An image is flashed, runs after the reset, and is confirmed (BTP-094)")
    func flash() async throws {
        let bench = try Bench()
        let image = Noise(seed: 4).bytes(300_000)
        let source = UploadSource(bytes: image, name: "fw.bin")
        var events: [TransferEvent] = []
        let summary = try await bench.host.flash(source, to: bench.device) { events.append($0) }
        #expect(summary.result == .installed)
        let information = try await bench.host.information(of: bench.device)
        let running = try #require(information.slots.first { $0.isRunning })
        #expect(running.isConfirmed)
        #expect(running.length == 300_000)
        #expect(running.sha256 == summary.sha256)
        let again = try await bench.host.flash(source, to: bench.device)
        #expect(again.result == .alreadyInstalled)
    }

    @Test("An image that runs already is started anew if that is forced, and nothing is refused")
    func forced() async throws {
        let bench = try Bench()
        let source = UploadSource(bytes: Noise(seed: 4).bytes(30_000), name: "fw.bin")
        _ = try await bench.host.flash(source, to: bench.device)
        let before = try await bench.host.information(of: bench.device)
        var options = FlashOptions()
        options.force = true
        var events: [TransferEvent] = []
        let summary = try await bench.host.flash(source, to: bench.device, flashing: options) {
            events.append($0)
        }
        #expect(summary.result == .installed)
        #expect(events.contains(.rebooting))
        #expect(
            !events.contains { event in
                if case .interrupted = event { true } else { false }
            })
        let after = try await bench.host.information(of: bench.device)
        #expect(after.bootID == before.bootID + 1)
        #expect(after.slots.first { $0.isRunning }?.sha256 == summary.sha256)
        #expect(after.slots.first { $0.isRunning }?.isConfirmed == true)
    }
}

@Suite("What an update does beyond the usual")
struct FlashOptionTests {
    @Test("An image that runs already is sent again where that is asked for, and runs from anew")
    func force() async throws {
        let bench = try Bench()
        let source = UploadSource(bytes: Noise(seed: 4).bytes(50_000), name: "fw.bin")
        _ = try await bench.host.flash(source, to: bench.device)
        let before = try await bench.host.information(of: bench.device)
        var flashing = FlashOptions()
        flashing.force = true
        let summary = try await bench.host.flash(source, to: bench.device, flashing: flashing)
        #expect(summary.result == .installed)
        #expect(summary.sentBytes > 50_000)
        let after = try await bench.host.information(of: bench.device)
        #expect(after.bootID != before.bootID)
        let running = try #require(after.slots.first { $0.isRunning })
        #expect(running.isConfirmed && running.sha256 == summary.sha256)
        #expect(running.index != before.slots.first { $0.isRunning }?.index)
    }

    @Test("BTP-093: among other devices, one that is long in coming back is still found")
    func slowReturn() async throws {
        var settings = Bench.Settings()
        settings.configuration.advertisingIntervalMicroseconds = 5_000_000
        let bench = try Bench(settings)
        let others = [PeerID("sim:a"), PeerID("sim:b")]
        bench.radio.withWorld { world in
            for peer in others {
                let storage = DeviceStorage<MemoryFlashMedium, MemoryFileMedium>(
                    slots: nil, files: FileStore(medium: MemoryFileMedium()))
                let profile = DeviceProfile(serial: peer.rawValue, localName: peer.rawValue)
                // Whoever takes the first one that is heard hears these again and again.
                var configuration = DeviceConfiguration(peer: peer)
                configuration.advertisingIntervalMicroseconds = 20_000
                world.addDevice(
                    configuration,
                    application: MemoryDevice(profile: profile, storage: storage, bootID: 1))
            }
        }
        let radio = bench.radio
        let source = UploadSource(bytes: Noise(seed: 4).bytes(5000), name: "fw.bin")
        let summary = try await bench.host.flash(source, to: bench.device) { event in
            guard case .rebooting = event else { return }
            radio.withWorld { $0.vanish(Bench.peer, forMicroseconds: 25_000_000) }
        }
        #expect(summary.result == .installed)
    }
}

@Suite("A file is pulled from a simulated device")
struct PullTests {
    @Test("A pulled file is the pushed one, and pulling it again moves nothing")
    func pull() async throws {
        let bench = try Bench()
        let folder = try TemporaryFolder()
        let bytes = Noise(seed: 3).bytes(100_000) + [UInt8](repeating: 7, count: 100_000)
        _ = try await bench.host.push(
            UploadSource(bytes: bytes, name: "a.bin"), to: bench.device, as: "a.bin")
        let destination = try DownloadDestination(
            localPath: folder("got.bin"), remoteName: "a.bin")
        let summary = try await bench.host.pull("a.bin", from: bench.device, to: destination)
        #expect(summary.result == .copied)
        #expect(summary.bytes == 200_000)
        #expect(summary.sentBytes < 110_000, "half of it deflates to nearly nothing")
        #expect(folder.read("got.bin") == bytes)
        let again = try await bench.host.pull("a.bin", from: bench.device, to: destination)
        #expect(again.result == .unchanged)
    }

    @Test("A log that has grown since is continued: only the rest travels, and nobody is asked")
    func grown() async throws {
        let bench = try Bench()
        let folder = try TemporaryFolder()
        let log = Noise(seed: 5).bytes(60_000)
        let destination = try DownloadDestination(localPath: folder("log"), remoteName: "log")
        try folder.write("log", Array(log[..<50_000]))
        _ = try await bench.host.push(
            UploadSource(bytes: log, name: "log"), to: bench.device, as: "log")
        let summary = try await bench.host.pull("log", from: bench.device, to: destination)
        #expect(summary.result == .copied)
        #expect(summary.resumedFrom == 50_000)
        #expect(summary.sentBytes < 12_000)
        #expect(folder.read("log") == log)
    }

    @Test("A file that the device's does not begin with is left alone, unless it may be replaced")
    func another() async throws {
        let bench = try Bench()
        let folder = try TemporaryFolder()
        let bytes = Noise(seed: 5).bytes(60_000)
        let mine = Noise(seed: 6).bytes(50_000)
        let destination = try DownloadDestination(localPath: folder("a"), remoteName: "a")
        try folder.write("a", mine)
        _ = try await bench.host.push(
            UploadSource(bytes: bytes, name: "a"), to: bench.device, as: "a")
        await #expect(throws: BargeError.self) {
            try await bench.host.pull("a", from: bench.device, to: destination)
        }
        #expect(folder.read("a") == mine)
        _ = try await bench.host.pull("a", from: bench.device, to: destination, overwrite: true)
        #expect(folder.read("a") == bytes)
    }
}

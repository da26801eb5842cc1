import Barge
import BargePeripheral
import BluetoothSimulation
import Testing

@Suite("The device's own log")
struct DeviceLogTests {
    private func bench() throws -> Bench {
        var settings = Bench.Settings()
        settings.profile.logName = "device.log"
        return try Bench(settings)
    }

    /// Does something with the device's files.
    private func withFiles<Value: Sendable>(
        _ bench: Bench,
        _ body: (inout FileStore<MemoryFileMedium, OpenSSLDigester>) throws -> Value
    ) throws -> Value {
        try bench.radio.withWorld { world in
            let device = try #require(world.application(of: Bench.peer) as? MemoryDevice)
            var files = try #require(device.storage.files)
            let value = try body(&files)
            device.storage.files = files
            return value
        }
    }

    /// What the log says, line by line, without the times.
    private func lines(_ bench: Bench) throws -> [String] {
        let bytes = try withFiles(bench) { files in
            let snapshot = try files.openRead(FileName("device.log"))
            return try files.read(snapshot, 0..<snapshot.size)
        }
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map { line in
            String(line.drop { $0 != ":" }.dropFirst(2))
        }
    }

    private func flash(_ bench: Bench) async throws -> TransferSummary {
        let image = UploadSource(bytes: Noise(seed: 5).bytes(20_000), name: "fw")
        return try await bench.host.flash(image, to: bench.device)
    }

    @Test("An update leaves a line for the boot, each session, the image, the test and the end")
    func update() async throws {
        let bench = try bench()
        #expect(try await flash(bench).result == .installed)
        let lines = try lines(bench).filter { !$0.hasPrefix("a session begins") }
        let starts = [
            "booted slot a (permanent): 5000 bytes", "verified an image of 20000 bytes",
            "the next boot tries", "booted slot b (trial): 20000 bytes", "confirmed",
        ]
        #expect(lines.count == starts.count)
        for (line, start) in zip(lines, starts) { #expect(line.hasPrefix(start)) }
    }

    @Test("A file leaves a line with its name and size")
    func file() async throws {
        let bench = try bench()
        let source = UploadSource(bytes: [1, 2, 3], name: "a")
        _ = try await bench.host.push(source, to: bench.device, as: "a.bin")
        #expect(try lines(bench).last == "wrote a.bin, 3 bytes")
    }

    @Test("A log that has grown to its bound starts anew")
    func bound() async throws {
        let bench = try bench()
        let old = [UInt8](repeating: 0x78, count: 256 * 1024)
        try withFiles(bench) { try $0.append(old, to: FileName("device.log")) }
        _ = try await bench.host.files(on: bench.device)
        let lines = try lines(bench)
        #expect(lines.count == 2)
        #expect(lines.first?.hasPrefix("booted slot a") == true)
    }

    @Test("A log that cannot be written hurts no session")
    func unwritable() async throws {
        let bench = try bench()
        try withFiles(bench) { $0.medium.fail(.write, atCall: 0, persistently: true) }
        #expect(try await flash(bench).result == .installed)
    }
}

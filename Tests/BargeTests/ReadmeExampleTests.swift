import Barge
import Bluetooth
import BluetoothSimulation
import Foundation
import Testing

// README example begins
/// Updates a device's firmware and returns its new digest.
func update(
    _ device: DeviceReference, with path: String, over central: some Central
) async throws(BargeError) -> [UInt8] {
    let host = BargeHost(central: central)
    let image = try FirmwareFile.load(path: path)
    var digest: [UInt8] = []
    for try await event in host.flash(image, to: device) {
        switch event {
        case .progress(let progress): print(progress.doneBytes, "of", progress.totalBytes)
        case .finished(let summary): digest = summary.sha256
        default: break
        }
    }
    return digest
}
// README example ends

@Suite("README's example of the library")
struct ReadmeExampleTests {
    @Test("It runs: the device's firmware is updated and confirmed")
    func runs() async throws {
        let bench = try Bench()
        let folder = try TemporaryFolder()
        let path = try folder.write("fw.bin", Noise(seed: 12).bytes(20_000))
        let digest = try await update(bench.device, with: path, over: bench.radio.central)
        let information = try await bench.host.information(of: bench.device)
        let running = information.slots.first { $0.isRunning && $0.isConfirmed }
        #expect(running?.sha256 == digest)
    }

    @Test("It is the code that README prints")
    func isPrinted() throws {
        let here = try String(contentsOfFile: #filePath, encoding: .utf8)
        let example = try #require(
            here.split(separator: "// README example begins\n").last?
                .split(separator: "// README example ends").first)
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let readme = try String(
            contentsOf: root.appendingPathComponent("README.md"), encoding: .utf8)
        #expect(readme.contains("```swift\n\(example)```"))
    }

    @Test("A transfer that nobody listens to any more is called off, and can be taken up")
    func calledOff() async throws {
        let bench = try Bench()
        let folder = try TemporaryFolder()
        let path = try folder.write("a", Noise(seed: 13).bytes(400_000))
        for try await event in bench.host.push(path: path, to: bench.device) {
            if case .durable = event { break }
        }
        var start: TransferStart?
        for try await event in bench.host.push(path: path, to: bench.device) {
            if case .started(let begun) = event { start = begun }
        }
        #expect(start.map { $0.resumedFrom > 0 } ?? true, "or it was all there already")
        #expect(try await bench.host.files(on: bench.device).first?.size == 400_000)
    }
}

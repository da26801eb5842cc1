import Barge
import Bluetooth
import Foundation
import Testing

@testable import PeerBridge

/// Our host, and a device in Python, written from Protocol.md alone by somebody who had not seen
/// our sources.
@Suite(
    "Our host meets a device in another language",
    .enabled(if: Python.isExpected, Comment(rawValue: Python.reason)))
struct PythonDeviceTests {
    /// Half of it deflates, half does not.
    static func cargo(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
        var random = seed
        return (0..<count).map { index in
            guard index >= count / 2 else { return UInt8(truncatingIfNeeded: index / 7) }
            random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(truncatingIfNeeded: random >> 33)
        }
    }

    @Test("Files are pushed, listed, pulled, found unchanged, and removed", arguments: TestPipe.all)
    func files(pipe: TestPipe) async throws {
        let device = try PythonDevice(over: pipe)
        let folder = try Folder()
        for count in [0, 1, 4095, 4096, 4097, 60_000] {
            let bytes = Self.cargo(count)
            let pushed = try await device.push(bytes, as: "a.bin")
            #expect(pushed.result == .copied)
            #expect(try await device.push(bytes, as: "a.bin").result == .unchanged)
            let files = try await device.host.files(on: device.reference)
            #expect(files.map(\.name) == ["a.bin"])
            #expect(files.map(\.size) == [UInt64(count)])
            #expect(try await device.pull("a.bin", into: folder) == bytes)
            try folder.clear()
            try await device.host.remove("a.bin", on: device.reference)
        }
        #expect(try device.stop().allSatisfy { $0.finished && $0.code == nil })
    }

    @Test(
        "Block sizes and windows, small and large, work (BTP-044, BTP-045, BTP-055)",
        arguments: [
            ["256", "256", "0", "0"], ["256", "300", "9", "9"], ["512", "1500", "10", "15"],
            ["4096", "4096", "15", "9"], ["32768", "40000", "15", "15"],
        ], [TestPipe.coc, .gatt(mtu: 185)])
    func sizes(numbers: [String], pipe: TestPipe) async throws {
        let device = try PythonDevice(
            over: pipe, "--block", numbers[0], "--window", numbers[1], "--inflate", numbers[2],
            "--deflate", numbers[3], "--grant", "3", "--busy")
        let bytes = Self.cargo(50_000)
        let pushed = try await device.push(bytes, as: "a.bin")
        #expect((pushed.sentBytes < 45_000) == (numbers[2] != "0"), "it deflates where it may")
        #expect(try await device.pull("a.bin", into: Folder()) == bytes)
        #expect(try device.stop().allSatisfy { $0.finished })
    }

    @Test("A push goes on wherever it was cut (BTP-060, BTP-064)", arguments: TestPipe.all)
    func resumedPush(pipe: TestPipe) async throws {
        let cuts = Array(stride(from: 1, to: 34_000, by: 2657)).map { "\($0)" }
        let device = try PythonDevice(over: pipe, ["--cut-received"] + cuts)
        let bytes = Self.cargo(60_000)
        #expect(try await device.push(bytes, as: "a.bin").bytes == 60_000)
        #expect(try await device.pull("a.bin", into: Folder()) == bytes)
    }

    @Test("A pull goes on wherever it was cut (BTP-070)", arguments: TestPipe.all)
    func resumedPull(pipe: TestPipe) async throws {
        let cuts = ["999999"] + stride(from: 1, to: 34_000, by: 2657).map { "\($0)" }
        let device = try PythonDevice(over: pipe, ["--cut-sent"] + cuts)
        let bytes = Self.cargo(60_000)
        _ = try await device.push(bytes, as: "a.bin")
        #expect(try await device.pull("a.bin", into: Folder()) == bytes)
    }

    @Test("An image is flashed, tested and confirmed (BTP-090 to BTP-094)", arguments: TestPipe.all)
    func flash(pipe: TestPipe) async throws {
        let device = try PythonDevice(over: pipe)
        let image = UploadSource(bytes: Self.cargo(100_000), name: "fw.bin")
        #expect(try await device.host.flash(image, to: device.reference).result == .installed)
        let again = try await device.host.flash(image, to: device.reference)
        #expect(again.result == .alreadyInstalled)
        let information = try await device.host.information(of: device.reference)
        let running = try #require(information.slots.first { $0.isRunning })
        #expect(running.isConfirmed && running.length == 100_000)
        let next = UploadSource(bytes: Self.cargo(90_000, seed: 2), name: "fw.bin")
        #expect(try await device.host.flash(next, to: device.reference).result == .installed)
    }

    @Test("An image that does not run is no success: the old one is back (BTP-091, BTP-094)")
    func deadImage() async throws {
        let device = try PythonDevice(over: .coc, "--dead-image")
        let image = UploadSource(bytes: Self.cargo(10_000), name: "fw.bin")
        let error = await #expect(throws: BargeError.self) {
            try await device.host.flash(image, to: device.reference)
        }
        #expect(error?.kind == .verification)
    }

    @Test("What the device does not have is an error of its own (BTP-082, BTP-084)")
    func refusals() async throws {
        let device = try PythonDevice(over: .coc, "--features", "2")
        let missing = await #expect(throws: BargeError.self) {
            try await device.host.remove("nothing", on: device.reference)
        }
        #expect(missing?.kind == .remoteFileNotFound)
        let image = UploadSource(bytes: [1, 2, 3], name: "fw.bin")
        let unsupported = await #expect(throws: BargeError.self) {
            try await device.host.flash(image, to: device.reference)
        }
        #expect(unsupported?.kind == .refused)
        let tooLong = await #expect(throws: BargeError.self) {
            try await device.push([UInt8](repeating: 1, count: 2 << 20), as: "big")
        }
        #expect(tooLong?.identifier == "no-space")
        #expect(try device.stop().allSatisfy { $0.finished }, "each was an error of request scope")
    }
}

extension PythonDevice {
    func push(_ bytes: [UInt8], as name: String) async throws -> TransferSummary {
        try await host.push(UploadSource(bytes: bytes, name: name), to: reference, as: name)
    }

    /// Pulls a file and hands back what arrived.
    func pull(_ name: String, into folder: Folder) async throws -> [UInt8]? {
        let path = folder.path("pulled")
        let destination = try DownloadDestination(localPath: path, remoteName: name)
        _ = try await host.pull(name, from: reference, to: destination)
        return FileManager.default.contents(atPath: path).map { [UInt8]($0) }
    }
}

/// A folder that is gone when the test is.
final class Folder {
    private let url = FileManager.default.temporaryDirectory
        .appending(path: "barge-peer-\(UUID().uuidString)")

    init() throws {
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    func path(_ name: String) -> String { url.appending(path: name).path }

    var names: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []).sorted()
    }

    func clear() throws {
        for name in names { try FileManager.default.removeItem(atPath: path(name)) }
    }
}

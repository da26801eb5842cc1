import Barge
import Foundation
import Testing

@Suite("A firmware file is read and checked")
struct FirmwareFileTests {
    private static let images = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "images").path

    private func path(_ name: String) -> String { Self.images + "/" + name }

    private func kind(_ name: String, key: String? = nil) -> BargeError.Kind? {
        do throws(BargeError) {
            _ = try FirmwareFile.load(path: path(name), keyPath: key.map(path))
            return nil
        } catch {
            return error.kind
        }
    }

    @Test("A file around an MCUboot image gives the image's own bytes", arguments: ["hex", "uf2"])
    func containers(format: String) throws {
        let plain = try FirmwareFile.load(path: path("sample-1.1.0-ecdsa-p256.bin"))
        let packed = try FirmwareFile.load(path: path("sample-1.1.0-ecdsa-p256.\(format)"))
        #expect(packed.payload == plain.payload)
        #expect(plain.name == "sample-1.1.0-ecdsa-p256.bin")
        #expect(plain.summary == "MCUboot image 1.1.0+0, 1462 bytes")
        #expect(packed.summary.hasPrefix("MCUboot image 1.1.0+0 in "))
        let bytes = try Data(contentsOf: URL(filePath: path("sample-1.1.0-ecdsa-p256.bin")))
        #expect(plain.payload == Array(bytes))
    }

    @Test("What is not known to be intact is said in a sentence")
    func notes() throws {
        let plain = try FirmwareFile.load(path: path("sample-1.1.0.bin"))
        #expect(plain.notes.count == 1)
        #expect(plain.notes.allSatisfy { $0.hasSuffix(".") })
    }

    @Test("A key that belongs to the image lets it through, any other does not")
    func keys() {
        let key = "keys/TEST-ONLY-ecdsa-p256.pub.pem"
        #expect(kind("sample-1.1.0-ecdsa-p256.bin", key: key) == nil)
        let others = [
            "sample-1.1.0-ed25519.bin", "sample-1.1.0.bin", "sample-1.1.0-hash-only.bin",
            "broken/sample-1.1.0-signed-by-other-key.bin", "broken/body-bit-flipped.bin",
        ]
        for other in others { #expect(kind(other, key: key) == .verification) }
    }

    @Test("A damaged image is refused without a key as well, an invalid signature is not looked at")
    func damaged() {
        let broken = [
            "body-bit-flipped.bin", "cut-short.bin", "bad-tlv.bin", "bad-checksum.hex",
            "no-end-record.hex", "overlap.hex", "two-gigabyte-gap.hex", "missing-block.uf2",
        ]
        for name in broken { #expect(kind("broken/" + name) == .verification) }
        #expect(kind("broken/signature-bit-flipped.bin") == nil)
    }

    @Test("Files that cannot be read, or are none, are local trouble")
    func unreadable() {
        #expect(kind("nothing") == .localFileMissing)
        #expect(kind("keys") == .localFileUnusable)
        let image = "sample-1.1.0-ecdsa-p256.bin"
        #expect(kind(image, key: "keys/nothing") == .localFileMissing)
        #expect(kind(image, key: "README.md") == .localFileUnusable)
        // A key file has 64 KiB at most, and no image of ours is longer: this one is made.
        let long = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: long) }
        #expect(throws: Never.self) { try Data(count: (64 << 10) + 1).write(to: long) }
        let error = #expect(throws: BargeError.self) {
            try FirmwareFile.load(path: path(image), keyPath: long.path)
        }
        #expect(error?.kind == .localFileUnusable)
        #expect(error?.why.contains("65537") == true)
    }

    @Test("An empty file, and one that is longer than any image, are refused")
    func sizes() throws {
        let url = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: url) }
        try Data().write(to: url)
        let empty = #expect(throws: BargeError.self) { try FirmwareFile.load(path: url.path) }
        #expect(empty?.kind == .verification)
        // Sparse: it takes no room.
        #expect(truncate(url.path, (64 << 20) + 1) == 0)
        let long = #expect(throws: BargeError.self) { try FirmwareFile.load(path: url.path) }
        #expect(long?.kind == .localFileUnusable)
        #expect(long?.why.contains("67108865") == true)
    }

    @Test("Gaps are filled with the erased value of the device")
    func erasedValue() throws {
        // Two records of one byte each, at 0 and at 2; checksums by the Intel HEX rule.
        let hex = ":01000000AA55\n:01000200BB42\n:00000001FF\n"
        let url = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString + ".hex")
        defer { try? FileManager.default.removeItem(at: url) }
        try Data(hex.utf8).write(to: url)
        #expect(try FirmwareFile.load(path: url.path, erasedValue: 0).payload == [0xAA, 0, 0xBB])
        #expect(try FirmwareFile.load(path: url.path).payload == [0xAA, 0xFF, 0xBB])
    }
}

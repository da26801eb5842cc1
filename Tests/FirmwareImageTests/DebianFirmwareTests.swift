import FirmwareImage
import Foundation
import Testing

/// U-Boot as Debian builds it (package `u-boot-qemu`): real firmware for seven architectures.
@Suite("Debian's U-Boot", .enabled(if: DebianFirmware.isExpected, "u-boot-qemu is not installed"))
struct DebianFirmwareTests {
    @Test("Every binary is taken as it is")
    func binaries() throws {
        let paths = try DebianFirmware.paths(named: "u-boot.bin")
        #expect(paths.count >= 7)
        for path in paths {
            let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
            let image = try FirmwareImage.parse(bytes)
            #expect(image.format == .raw, "\(path)")
            #expect(image.payload == bytes)
        }
    }

    @Test("Every ELF file flattens to bytes that lie in its binary")
    func executables() throws {
        let paths = try DebianFirmware.paths(named: "uboot.elf")
        #expect(paths.count >= 7)
        for path in paths {
            let image = try FirmwareImage.parse([UInt8](Data(contentsOf: URL(filePath: path))))
            #expect(image.format == .elf, "\(path)")
            #expect(image.payload.count > 200_000)
        }
    }

    @Test("Cut short anywhere, an ELF file is refused or loses nothing")
    func cutShort() throws {
        let path = try #require(try DebianFirmware.paths(named: "uboot.elf").first)
        let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
        let whole = try FirmwareImage.parse(bytes)
        var options = ParseOptions()
        options.expectedFormat = .elf
        for length in stride(from: 0, to: bytes.count, by: 4099) {
            let cut = try? FirmwareImage.parse(Array(bytes.prefix(length)), options: options)
            if let cut { #expect(cut.payload == whole.payload, "\(length)") }
        }
    }
}

enum DebianFirmware {
    static let directory = "/usr/lib/u-boot"

    static var isExpected: Bool {
        FileManager.default.fileExists(atPath: directory)
            || ProcessInfo.processInfo.environment["BARGE_REQUIRE_ALL"] == "1"
    }

    static func paths(named name: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: directory).sorted()
            .map { "\(directory)/\($0)/\(name)" }
            .filter { FileManager.default.fileExists(atPath: $0) }
    }
}

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
            let bytes = try DebianFirmware.bytes(path)
            let image = try FirmwareImage.parse(bytes)
            #expect(image.format == .raw, "\(path)")
            #expect(image.payload == bytes)
        }
    }

    @Test("The PowerPC ELF file, big-endian, flattens to its binary byte for byte")
    func bigEndianExecutable() throws {
        let directory = DebianFirmware.directory + "/qemu-ppce500/"
        let image = try FirmwareImage.parse(DebianFirmware.bytes(directory + "uboot.elf"))
        #expect(image.payload == (try DebianFirmware.bytes(directory + "u-boot.bin")))
        // The address as `readelf -l` prints it.
        #expect(image.baseAddress == 0x00F0_0000)
    }

    @Test("Other ELF files flatten to their binaries, except for what the build relocates later")
    func executables() throws {
        let paths = try DebianFirmware.paths(named: "uboot.elf")
        #expect(paths.count >= 7)
        for path in paths where !path.contains("x86") {
            let image = try FirmwareImage.parse(DebianFirmware.bytes(path))
            let binary = try DebianFirmware.bytes(path.replacing("uboot.elf", with: "u-boot.bin"))
            #expect(image.format == .elf, "\(path)")
            let equalCount = zip(image.payload, binary).count { $0 == $1 }
            #expect(Double(equalCount) > 0.8 * Double(binary.count), "\(path): \(equalCount)")
        }
    }

    @Test("An ELF file for x86 reaches up to the reset vector below four gigabytes")
    func resetVector() throws {
        let path = DebianFirmware.directory + "/qemu-x86/uboot.elf"
        let image = try FirmwareImage.parse(DebianFirmware.bytes(path))
        // Two segments as `readelf -l` prints them: 0xFFF00000 and, to its end, 0xFFFFF800 + 0x7F5.
        #expect(image.baseAddress == 0xFFF0_0000)
        #expect(image.payload.count == 0xF_F800 + 0x7F5)
        #expect(
            image.notes.contains(.gapsFilled(gapCount: 1, byteCount: 0xF_F800 - 0xB_1D50)))
    }

    @Test("Cut short anywhere, an ELF file is refused or loses nothing")
    func cutShort() throws {
        let path = try #require(try DebianFirmware.paths(named: "uboot.elf").first)
        let bytes = try DebianFirmware.bytes(path)
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

    static func bytes(_ path: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(filePath: path)))
    }

    static func paths(named name: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: directory).sorted()
            .map { "\(directory)/\($0)/\(name)" }
            .filter { FileManager.default.fileExists(atPath: $0) }
    }
}

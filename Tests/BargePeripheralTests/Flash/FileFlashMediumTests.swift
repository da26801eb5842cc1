import BargePeripheral
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

@Suite("A flash in a file")
struct FileFlashMediumTests {
    typealias FileSlots = FirmwareSlots<FileFlashMedium, OpenSSLDigester>

    static func geometry() throws -> FlashGeometry {
        try FlashGeometry(
            size: 11 * 128, sectorSize: 128, programUnit: 8, erasedValue: 0x00,
            eraseSectorMicroseconds: 1234, programUnitMicroseconds: 56, readBytesPerMicrosecond: 7)
    }

    @Test("A device in a file goes on where it was when the file is opened again")
    func outlastsTheProcess() throws {
        try withScratchDirectory { directory in
            let path = directory + "/flash"
            let old = pattern(300, seed: 1)
            let new = pattern(380, seed: 2)
            do {
                let medium = try FileFlashMedium.create(atPath: path, geometry: Self.geometry())
                var slots = try Self.slots(medium)
                try slots.provision(old)
                try slots.boot()
                _ = try slots.beginImage(ImageIdentity(of: new))
                try slots.write(Array(new[..<64]), at: 0)
            }
            let medium = try FileFlashMedium.open(atPath: path)
            #expect(try medium.geometry == Self.geometry())
            var slots = try Self.slots(medium)
            #expect(try slots.boot().slot == .a)
            #expect(try slots.read(.running, 0..<300) == old)
            #expect(try slots.beginImage(ImageIdentity(of: new)) == .upload(from: 64))
            try slots.write(Array(new[64...]), at: 64)
            try slots.finishImage()
            try slots.markForTest(digest(new))
            #expect(try slots.boot().slot == .b)
            try medium.sync()
        }
    }

    @Test("A second process finds the file in use")
    func locked() throws {
        try withScratchDirectory { directory in
            let path = directory + "/flash"
            let medium = try FileFlashMedium.create(atPath: path, geometry: Self.geometry())
            #expect(throws: FlashFileError.inUse(path: path)) {
                try FileFlashMedium.open(atPath: path)
            }
            #expect(throws: FlashFileError.exists(path: path)) {
                try FileFlashMedium.create(atPath: path, geometry: Self.geometry())
            }
            _ = medium
        }
    }

    @Test("A flipped bit anywhere in the header is found")
    func damagedHeader() throws {
        try withScratchDirectory { directory in
            let path = directory + "/flash"
            _ = try FileFlashMedium.create(atPath: path, geometry: Self.geometry())
            let good = try readFile(path)
            for byte in 0..<64 {
                var bytes = good
                bytes[byte] ^= 0x01
                try writeFile(bytes, path)
                let error = #expect(throws: FlashFileError.self) {
                    try FileFlashMedium.open(atPath: path)
                }
                switch byte {
                case 0..<8: #expect(error == .notAFlash(path: path))
                case 8: #expect(error == .damaged(path: path), "version 0 has no valid checksum")
                case 9: #expect(error == .newer(path: path, version: 257))
                default: #expect(error == .damaged(path: path))
                }
            }
            try writeFile(good, path)
            _ = try FileFlashMedium.open(atPath: path)
        }
    }

    @Test("Files that are empty, short, long, missing, or a link are refused with a sentence")
    func otherFiles() throws {
        try withScratchDirectory { directory in
            let path = directory + "/flash"
            _ = try FileFlashMedium.create(atPath: path, geometry: Self.geometry())
            let good = try readFile(path)
            for (bytes, expected) in [
                ([], FlashFileError.notAFlash(path: path)),
                (Array(good[..<20]), .damaged(path: path)),
                (Array(good.dropLast()), .damaged(path: path)),
                (good + [0], .damaged(path: path)),
                (Array("something else entirely, of some length".utf8), .notAFlash(path: path)),
            ] {
                try writeFile(bytes, path)
                let error = #expect(throws: FlashFileError.self) {
                    try FileFlashMedium.open(atPath: path)
                }
                #expect(error == expected)
                #expect(error?.description.hasSuffix(".") == true)
            }
            let missing = #expect(throws: FlashFileError.self) {
                try FileFlashMedium.open(atPath: directory + "/none")
            }
            #expect(missing?.description.contains("No such file") == true)
            try writeFile(good, path)
            #expect(symlink(path, directory + "/link") == 0)
            #expect(throws: FlashFileError.self) {
                try FileFlashMedium.open(atPath: directory + "/link")
            }
        }
    }

    private static func slots(_ medium: FileFlashMedium) throws -> FileSlots {
        FileSlots(
            flash: try FlashModel(geometry: medium.geometry, medium: medium),
            layout: try FirmwareLayout(geometry: medium.geometry, slotSize: 384))
    }
}

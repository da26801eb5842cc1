import Barge
import FirmwareImage
import Testing

@Suite("MCUboot images")
struct MCUbootTests {
    private let cryptography = OpenSSLCryptography()

    @Test("Header, records and hash of a small image are read as they were written")
    func wholeImage() throws {
        var builder = MCUbootBuilder(loadAddress: 0x2000_1000, headerSize: 64, flags: 0x130)
        builder.protectedRecords = [
            .init(type: 0x50, value: littleEndian(UInt32(77))),
            .init(type: 0x40, value: [1, 0, 0, 0, 2, 3] + littleEndian(UInt16(4)) + [5, 0, 0, 0]),
        ]
        let image = try FirmwareImage.parse(builder.withHash().bytes)
        let mcuboot = try #require(image.mcuboot)
        #expect(image.format == .mcuboot)
        #expect(mcuboot.header.loadAddress == 0x2000_1000)
        #expect(mcuboot.header.headerSize == 64)
        #expect(mcuboot.header.version.description == "1.2.3+4")
        #expect(mcuboot.header.flags.flagNames == ["NON_BOOTABLE", "RAM_LOAD", "ROM_FIXED"])
        #expect(mcuboot.tlvs.map(\.type.name) == ["SEC_CNT", "DEPENDENCY", "SHA256"])
        #expect(mcuboot.tlvs.map(\.isProtected) == [true, true, false])
        #expect(mcuboot.securityCounter == 77)
        let dependency = try #require(mcuboot.dependencies.first)
        #expect(dependency.imageIndex == 1)
        #expect(
            dependency.lowestVersion == MCUbootVersion(major: 2, minor: 3, revision: 4, build: 5))
        #expect(mcuboot.byteCount == image.payload.count)
        #expect(mcuboot.tail == .none)
        #expect(try image.checkHash(using: cryptography) == .matches(.sha256))
        #expect(image.notes == [.unsigned, .nonBootable])
    }

    @Test(
        "Vendor and class are found under both pairs of numbers",
        arguments: [(UInt16(0x74), UInt16(0x75)), (0x80, 0x81)])
    func identifiers(vendor: UInt16, class: UInt16) throws {
        var builder = MCUbootBuilder()
        let (vendorID, classID) = (
            [UInt8](repeating: 1, count: 16), [UInt8](repeating: 2, count: 16)
        )
        builder.protectedRecords = [
            .init(type: vendor, value: vendorID), .init(type: `class`, value: classID),
        ]
        let mcuboot = try #require(try FirmwareImage.parse(builder.bytes).mcuboot)
        #expect(mcuboot.vendorID == vendorID)
        #expect(mcuboot.classID == classID)
        #expect(mcuboot.tlvs.map(\.type.name) == ["UUID_VID", "UUID_CID"])
    }

    @Test("Flags without a name are shown as a number")
    func unknownFlags() {
        #expect(MCUbootFlags(rawValue: 0x8000_0001).flagNames == ["PIC", "0x80000000"])
    }

    @Test("Versions compare number by number")
    func versions() {
        let ordered = [
            MCUbootVersion(major: 0, minor: 9, revision: 9, build: 9),
            MCUbootVersion(major: 1, minor: 0, revision: 10),
            MCUbootVersion(major: 1, minor: 1, revision: 9),
            MCUbootVersion(major: 1, minor: 1, revision: 9, build: 1),
        ]
        #expect(ordered.shuffled().sorted() == ordered)
    }

    @Test("Each way of not being a whole image has its own name")
    func problems() {
        let whole = MCUbootBuilder(records: [.init(type: 0x10, value: [1, 2])])
        expect(.headerTooSmall(headerSize: 31), from: change(whole) { $0.headerSize = 31 })
        expect(
            .bodyCutShort(neededByteCount: 32 + 99, byteCount: whole.bytes.count),
            from: change(whole) { $0.imageSize = 99 })
        expect(
            .bodyCutShort(neededByteCount: 32 + 0xFFFF_FFFF, byteCount: whole.bytes.count),
            from: change(whole) { $0.imageSize = 0xFFFF_FFFF })
        expect(
            .noTLVArea(offset: 36, expected: 0x6907, found: 0x6906),
            from: change(whole) { $0.areaMagic = 0x6906 })
        expect(
            .noTLVArea(offset: 36, expected: 0x6908, found: 0x6907),
            from: change(whole) { $0.protectedTLVSize = 8 })
        expect(
            .tlvAreaCutShort(offset: 36, byteCount: whole.bytes.count),
            from: change(whole) { $0.areaSize = 11 })
        expect(
            .tlvAreaCutShort(offset: 36, byteCount: whole.bytes.count),
            from: change(whole) { $0.areaSize = 3 })
        expect(
            .recordOverrunsArea(offset: 40),
            from: change(whole) { $0.records[0].statedByteCount = 3 })
        expect(
            .protectedSizeMismatch(header: 9, area: 8),
            from: change(whole) {
                $0.protectedRecords = [.init(type: 0xA0, value: [])]
                $0.protectedTLVSize = 9
            })
    }

    @Test("A record at the very end of its area is whole, and one byte less is not")
    func recordBoundary() throws {
        let whole = MCUbootBuilder(records: [.init(type: 0xA0, value: [1, 2])])
        #expect(try FirmwareImage.parse(whole.bytes).mcuboot?.tlvs.count == 1)
        expect(.recordOverrunsArea(offset: 40), from: change(whole) { $0.areaSize = 9 })
    }

    @Test("A big-endian image, as imgtool writes on request, is read all the same")
    func bigEndian() throws {
        let header: [UInt8] = [
            0x96, 0xf3, 0xb8, 0x3d, 0, 0, 0, 0, 0, 32, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0x10,
            1, 2, 0, 3, 0, 0, 0, 4, 0, 0, 0, 0,
        ]
        let image = try FirmwareImage.parse(header + [0xB0] + [0x69, 0x07, 0, 4])
        #expect(image.mcuboot?.header.byteOrder == .big)
        #expect(image.mcuboot?.header.version.description == "1.2.3+4")
    }

    @Test("Two wrong digests are two damages: every stated one must agree")
    func severalHashes() throws {
        var builder = try MCUbootBuilder().withHash()
        builder.records.append(.init(type: 0x12, value: [UInt8](repeating: 0, count: 64)))
        let image = try FirmwareImage.parse(builder.bytes)
        guard case .mismatch(.sha512, _, _) = try image.checkHash(using: cryptography) else {
            Issue.record("a wrong SHA-512 went through")
            return
        }
    }

    @Test("A digest of the wrong length never matches")
    func shortHash() throws {
        let builder = MCUbootBuilder(records: [.init(type: 0x10, value: [])])
        let image = try FirmwareImage.parse(builder.bytes)
        guard case .mismatch(.sha256, [], _) = try image.checkHash(using: cryptography) else {
            Issue.record("an empty SHA-256 went through")
            return
        }
    }

    @Test("An encrypted flag without the record that carries the key is damage, not encryption")
    func encryptedFlag() throws {
        var builder = try MCUbootBuilder().withHash()
        builder.flags = 0x4
        var image = try FirmwareImage.parse(builder.bytes)
        guard case .mismatch = try image.checkHash(using: cryptography) else {
            Issue.record("a flipped flag went through")
            return
        }
        builder.records.append(.init(type: 0x32, value: [1]))
        image = try FirmwareImage.parse(builder.bytes)
        #expect(try image.checkHash(using: cryptography) == .encrypted(.sha256))
        #expect(image.notes.contains(.encrypted))
    }

    @Test("Images for a slot: an exact fit, one byte too many, and padding for another slot")
    func slotFit() throws {
        let image = try FirmwareImage.parse(Samples.bytes("sample-1.1.0-ecdsa-p256-padded-16k.bin"))
        #expect(image.fit(slotByteCount: 16384) == .fits(spareByteCount: 0))
        #expect(image.fit(slotByteCount: 16383) == .tooLarge(excessByteCount: 1))
        #expect(
            image.fit(slotByteCount: 32768)
                == .paddedForAnotherSlot(paddedByteCount: 16384, slotByteCount: 32768))
        let plain = try FirmwareImage.parse(Samples.bytes("sample-1.1.0.bin"))
        #expect(plain.fit(slotByteCount: 1000) == .fits(spareByteCount: 200))
    }

    @Test("Files that people hand in by mistake are named")
    func mistakes() throws {
        #expect(throws: ImageError.empty) { try FirmwareImage.parse([]) }
        let zip: [UInt8] = [0x50, 0x4B, 0x03, 0x04, 20, 0, 0, 0]
        #expect(try FirmwareImage.parse(zip).notes.first?.sentence.contains("ZIP") == true)
        #expect(try FirmwareImage.parse(Array("hello\n".utf8)).notes == [.looksLikeText])
        let blank = [UInt8](repeating: 0, count: 512) + [1, 2, 3]
        #expect(try FirmwareImage.parse(blank).notes == [.blankHeader])
        let old = littleEndian(UInt32(0x96f3_b83c)) + [UInt8](repeating: 1, count: 60)
        #expect(try FirmwareImage.parse(old).notes == [.obsoleteHeader])
    }

    @Test("A file of exactly 64 MiB is read, one byte more is refused")
    func fileLimit() throws {
        let limit = 64 * 1024 * 1024
        let bytes = [UInt8](repeating: 0xA5, count: limit)
        #expect(try FirmwareImage.parse(bytes).payload.count == limit)
        #expect(throws: ImageError.fileTooLarge(byteCount: limit + 1, limit: limit)) {
            try FirmwareImage.parse(bytes + [0])
        }
    }

    private func change(
        _ builder: MCUbootBuilder, _ body: (inout MCUbootBuilder) -> Void
    ) -> MCUbootBuilder {
        var copy = builder
        body(&copy)
        return copy
    }

    private func expect(
        _ problem: MCUbootProblem, from builder: MCUbootBuilder,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(throws: ImageError.mcuboot(problem), sourceLocation: sourceLocation) {
            try FirmwareImage.parse(builder.bytes)
        }
    }
}

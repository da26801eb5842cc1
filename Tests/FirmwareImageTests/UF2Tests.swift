import FirmwareImage
import Testing

@Suite("UF2")
struct UF2Tests {
    @Test("Blocks are put together by their addresses, in any order")
    func order() throws {
        let blocks = threeBlocks()
        let straight = try FirmwareImage.parse(blocks.flatMap(\.bytes))
        #expect(straight.format == .uf2)
        #expect(straight.baseAddress == 0x1000)
        #expect(straight.payload == [1, 2, 3, 4, 5, 6, 7, 8, 9])
        #expect(straight.uf2?.blockCount == 3)
        let shuffled = try FirmwareImage.parse([2, 0, 1].flatMap { blocks[$0].bytes })
        #expect(shuffled.payload == straight.payload)
    }

    @Test("A block that comes twice alike is taken once, a contradiction is refused")
    func doubled() throws {
        let blocks = threeBlocks()
        let twice = (blocks + [blocks[1]]).flatMap(\.bytes)
        #expect(try FirmwareImage.parse(twice).payload.count == 9)
        var other = blocks[1]
        other.payload[0] ^= 1
        expect(.doubledBlockDiffers(number: 1, first: 2, second: 4), from: blocks + [other])
        other = blocks[1]
        other.address += 4
        expect(.doubledBlockDiffers(number: 1, first: 2, second: 4), from: blocks + [other])
    }

    @Test("Two different blocks for one address contradict each other")
    func overlap() {
        var blocks = threeBlocks()
        blocks[1].address = blocks[0].address
        #expect(
            throws: ImageError.memory(
                .conflict(address: 0x1000, source: "block", first: 1, second: 2))
        ) { try FirmwareImage.parse(blocks.flatMap(\.bytes)) }
    }

    @Test("Missing blocks are counted, and the first of them is named")
    func missing() {
        let blocks = threeBlocks()
        expect(
            .blocksMissing(firstMissing: 1, missingCount: 1, count: 3),
            from: [blocks[0], blocks[2]])
        expect(
            .blocksMissing(firstMissing: 1, missingCount: 2, count: 3), from: [blocks[0]])
        expect(
            .blocksMissing(firstMissing: 0, missingCount: 2, count: 3), from: [blocks[2]])
    }

    @Test("A file for two chips is refused until one of them is chosen")
    func families() throws {
        var (first, second) = (BlockBuilder(flags: 0x2000), BlockBuilder(flags: 0x2000))
        first.family = 0xE48B_FF56
        second.family = 0xE48B_FF59
        second.payload = [9]
        let file = first.bytes + second.bytes
        #expect(throws: ImageError.uf2(.severalFamilies(first.family, second.family))) {
            try FirmwareImage.parse(file)
        }
        var options = ParseOptions()
        options.uf2FamilyID = second.family
        let image = try FirmwareImage.parse(file, options: options)
        #expect(image.payload == [9])
        #expect(image.uf2?.familyID == second.family)
        options.uf2FamilyID = 1
        #expect(throws: ImageError.uf2(.noSuchFamily(1))) {
            try FirmwareImage.parse(file, options: options)
        }
    }

    @Test("Without the flag, the family field is the size of the file and means nothing")
    func fileSize() throws {
        var (first, second) = (BlockBuilder(count: 2), BlockBuilder(number: 1, count: 2))
        first.family = 8
        second.family = 9
        second.address += 4
        let image = try FirmwareImage.parse(first.bytes + second.bytes)
        #expect(image.payload.count == 8)
        #expect(image.uf2?.familyID == nil)
    }

    @Test("Blocks that are not for the main flash, and files in containers, are left out")
    func otherMemory() throws {
        var blocks = threeBlocks()
        blocks[2].flags |= 0x1
        let image = try FirmwareImage.parse(blocks.flatMap(\.bytes))
        #expect(image.payload == [1, 2, 3, 4, 5, 6, 7, 8])
        #expect(image.notes.contains(.skippedBlocks(count: 1)))
        for index in blocks.indices { blocks[index].flags |= 0x1000 }
        #expect(throws: ImageError.memory(.noData(outsideByteCount: 0))) {
            try FirmwareImage.parse(blocks.flatMap(\.bytes))
        }
    }

    @Test("The payload ends where the MD5 begins: 452 bytes fit, 453 do not")
    func md5() throws {
        let fits = BlockBuilder(flags: 0x4000, payload: [UInt8](repeating: 1, count: 452))
        #expect(try FirmwareImage.parse(fits.bytes).payload.count == 452)
        let over = BlockBuilder(flags: 0x4000, payload: [UInt8](repeating: 1, count: 453))
        expect(.payloadTooLarge(block: 1, byteCount: 453, limit: 452), from: [over])
        let whole = BlockBuilder(payload: [UInt8](repeating: 1, count: 476))
        #expect(try FirmwareImage.parse(whole.bytes).payload.count == 476)
        let tooMuch = BlockBuilder(size: 477)
        expect(.payloadTooLarge(block: 1, byteCount: 477, limit: 476), from: [tooMuch])
    }

    @Test("Extension tags tell version and device, as in the specification's example")
    func tags() throws {
        // Length 9 with the tag itself, type 0x9fc7bc, "0.1.2", three bytes of filling; then the
        // end.
        var tags: [UInt8] = [9, 0xBC, 0xC7, 0x9F] + Array("0.1.2".utf8) + [0, 0, 0]
        tags += [8, 0x9D, 0x0D, 0x65] + Array("ACME".utf8) + [0, 0, 0, 0]
        let block = BlockBuilder(flags: 0x8000, behind: tags)
        let image = try FirmwareImage.parse(block.bytes)
        #expect(image.uf2?.version == "0.1.2")
        #expect(image.uf2?.deviceDescription == "ACME")
    }

    @Test("Damaged blocks are refused, even if the first magic number is the damage")
    func damage() throws {
        let blocks = threeBlocks()
        var file = blocks.flatMap(\.bytes)
        file[0] ^= 1
        #expect(throws: ImageError.uf2(.badMagic(block: 1))) { try FirmwareImage.parse(file) }
        file = blocks.flatMap(\.bytes)
        file[2 * 512 + 511] ^= 1
        #expect(throws: ImageError.uf2(.badMagic(block: 3))) { try FirmwareImage.parse(file) }
        file = blocks.flatMap(\.bytes)
        #expect(throws: ImageError.uf2(.cutShort(byteCount: 1535))) {
            try FirmwareImage.parse(file.dropLast())
        }
        expect(
            .numberOutOfRange(block: 1, number: 1, count: 1), from: [BlockBuilder(number: 1)])
        var other = blocks
        other[2].count = 4
        expect(.countDiffers(block: 3, count: 4, firstCount: 3), from: other)
        expect(
            .blocksMissing(
                firstMissing: 1, missingCount: 0xFFFF_FFFE, count: 0xFFFF_FFFF),
            from: [BlockBuilder(count: 0xFFFF_FFFF)])
    }

    private func threeBlocks() -> [BlockBuilder] {
        [
            BlockBuilder(address: 0x1000, payload: [1, 2, 3, 4], number: 0, count: 3),
            BlockBuilder(address: 0x1004, payload: [5, 6, 7, 8], number: 1, count: 3),
            BlockBuilder(address: 0x1008, payload: [9], number: 2, count: 3),
        ]
    }

    private func expect(
        _ problem: UF2Problem, from blocks: [BlockBuilder],
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(throws: ImageError.uf2(problem), sourceLocation: sourceLocation) {
            try FirmwareImage.parse(blocks.flatMap(\.bytes))
        }
    }
}

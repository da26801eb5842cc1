/// What a UF2 file says about its target and its firmware.
public struct UF2Description: Sendable, Equatable {
    /// The chip family that the blocks are for, if they say so.
    public let familyID: UInt32?
    /// The number of blocks that were used, doubled ones counted once.
    public let blockCount: Int
    /// The firmware's version, from the extension tag 0x9fc7bc.
    public let version: String?
    /// The device's description, from the extension tag 0x650d9d.
    public let deviceDescription: String?
}

/// Puts the blocks of a UF2 file together: in any order, doubled ones checked, none missing.
struct UF2Image {
    private let options: ParseOptions
    private var blocks: [UInt32: UF2Block] = [:]
    private var familyID: UInt32??
    private var skippedCount = 0
    private var tags = UF2Tags()

    private init(options: ParseOptions) { self.options = options }

    /// Flattens a whole file.
    static func contents(
        of bytes: [UInt8], options: ParseOptions
    ) throws(ImageError) -> ImageContents {
        guard bytes.count.isMultiple(of: UF2Block.byteCount) else {
            throw .uf2(.cutShort(byteCount: bytes.count))
        }
        let reader = ByteReader(bytes)
        var image = UF2Image(options: options)
        for position in 1...(bytes.count / UF2Block.byteCount) {
            try image.take(UF2Block(reader, position: position))
        }
        return try image.flattened()
    }

    private mutating func take(_ block: UF2Block) throws(ImageError) {
        if let wanted = options.uf2FamilyID, block.familyID != wanted {
            skippedCount += 1
            return
        }
        // Numbers are per family, so a second family is a second image.
        if let first = familyID, first != block.familyID {
            throw .uf2(.severalFamilies(first ?? 0, block.familyID ?? 0))
        }
        familyID = .some(block.familyID)
        if let known = blocks[block.number] {
            guard known.address == block.address, known.payload == block.payload else {
                throw .uf2(
                    .doubledBlockDiffers(
                        number: block.number, first: known.position, second: block.position))
            }
            return
        }
        if let other = blocks.first?.value, other.count != block.count {
            throw .uf2(
                .countDiffers(
                    block: block.position, count: block.count, firstCount: other.count))
        }
        blocks[block.number] = block
        if block.flags.contains(.extensionTags) { tags.read(block.rest) }
    }

    private func flattened() throws(ImageError) -> ImageContents {
        let ordered = blocks.values.sorted { $0.number < $1.number }
        guard let first = ordered.first else {
            throw .uf2(.noSuchFamily(options.uf2FamilyID ?? 0))
        }
        guard ordered.count == Int(first.count) else {
            let missing = ordered.enumerated().first { $0.offset != Int($0.element.number) }
            throw .uf2(
                .blocksMissing(
                    firstMissing: missing?.offset ?? ordered.count,
                    missingCount: Int(first.count) - ordered.count, count: Int(first.count)))
        }
        var memory = MemoryMap(source: .block, options: options)
        var skippedCount = skippedCount
        for block in ordered {
            if block.flags.isDisjoint(with: [.notMainFlash, .fileContainer]) {
                try memory.add(
                    block.payload, at: UInt64(block.address), number: block.position)
            } else {
                skippedCount += 1
            }
        }
        var contents = try memory.flattened()
        contents.uf2 = UF2Description(
            familyID: familyID ?? nil, blockCount: ordered.count, version: tags.version,
            deviceDescription: tags.deviceDescription)
        if skippedCount > 0 { contents.notes.append(.skippedBlocks(count: skippedCount)) }
        return contents
    }
}

/// The extension tags of UF2 blocks: length with its own byte and the type's three, type, value.
private struct UF2Tags {
    static let prefixByteCount = 4
    static let alignment = 4

    var version: String?
    var deviceDescription: String?

    mutating func read(_ bytes: ArraySlice<UInt8>) {
        var rest = bytes
        while rest.count >= Self.prefixByteCount, let length = rest.first.map(Int.init),
            (Self.prefixByteCount...rest.count).contains(length)
        {
            let type = rest.dropFirst().prefix(3).reversed().reduce(UInt32(0)) {
                $0 << 8 | UInt32($1)
            }
            let text = { String(decoding: rest.prefix(length).dropFirst(4), as: UTF8.self) }
            switch type {
            case 0x9f_c7bc: version = text()
            case 0x65_0d9d: deviceDescription = text()
            default: break
            }
            rest = rest.dropFirst((length + Self.alignment - 1) / Self.alignment * Self.alignment)
        }
    }
}

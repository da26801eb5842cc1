/// One 512-byte block of a UF2 file (Microsoft's UF2 specification, `microsoft/uf2` README).
struct UF2Block {
    static let byteCount = 512
    static let firstMagic: UInt32 = 0x0A32_4655
    static let secondMagic: UInt32 = 0x9E5D_5157
    static let finalMagic: UInt32 = 0x0AB1_6F30
    /// The room for payload, MD5 and extension tags.
    static let dataByteCount = 476
    private static let dataOffset = 32
    private static let finalMagicOffset = 508
    /// Start address, length and MD5 of a region, at the end of the data.
    private static let md5ByteCount = 24

    /// Where the block lies in the file, counted from 1.
    let position: Int
    let flags: UF2Flags
    let address: UInt32
    /// The number of the block within its family, from 0.
    let number: UInt32
    /// The number of blocks of its family.
    let count: UInt32
    let familyID: UInt32?
    let payload: ArraySlice<UInt8>
    /// The data behind the payload, where extension tags lie.
    let rest: ArraySlice<UInt8>

    /// Whether the first block has at least two of the three magic numbers.
    static func looksLikeOne(_ reader: ByteReader) -> Bool {
        let found = [
            reader.integer32(at: 0) == firstMagic,
            reader.integer32(at: 4) == secondMagic,
            reader.integer32(at: finalMagicOffset) == finalMagic,
        ]
        return found.count { $0 } >= 2
    }

    init(_ reader: ByteReader, position: Int) throws(ImageError) {
        let start = (position - 1) * Self.byteCount
        guard
            let block = reader.slice(at: start, count: Self.byteCount),
            let flags = reader.integer32(at: start + 8),
            let address = reader.integer32(at: start + 12),
            let size = reader.integer32(at: start + 16),
            let number = reader.integer32(at: start + 20),
            let count = reader.integer32(at: start + 24),
            let family = reader.integer32(at: start + 28)
        else { throw .uf2(.cutShort(byteCount: reader.bytes.count)) }
        guard
            reader.integer32(at: start) == Self.firstMagic,
            reader.integer32(at: start + 4) == Self.secondMagic,
            reader.integer32(at: start + Self.finalMagicOffset) == Self.finalMagic
        else { throw .uf2(.badMagic(block: position)) }
        self.flags = UF2Flags(rawValue: flags)
        let room = Self.dataByteCount - (self.flags.contains(.md5) ? Self.md5ByteCount : 0)
        guard Int(size) <= room else {
            throw .uf2(.payloadTooLarge(block: position, byteCount: size, limit: room))
        }
        guard number < count else {
            throw .uf2(.numberOutOfRange(block: position, number: number, count: count))
        }
        let data = block.dropFirst(Self.dataOffset).prefix(room)
        self.position = position
        self.address = address
        self.number = number
        self.count = count
        self.familyID = self.flags.contains(.familyID) ? family : nil
        self.payload = data.prefix(Int(size))
        self.rest = data.dropFirst(Int(size))
    }
}

/// The flags of a UF2 block.
struct UF2Flags: OptionSet {
    let rawValue: UInt32

    static let notMainFlash = UF2Flags(rawValue: 0x0000_0001)
    static let fileContainer = UF2Flags(rawValue: 0x0000_1000)
    static let familyID = UF2Flags(rawValue: 0x0000_2000)
    static let md5 = UF2Flags(rawValue: 0x0000_4000)
    static let extensionTags = UF2Flags(rawValue: 0x0000_8000)
}

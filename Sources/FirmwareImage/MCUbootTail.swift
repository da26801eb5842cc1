/// What lies behind an MCUboot image's TLVs in the file.
public enum MCUbootTail: Sendable, Equatable {
    /// Nothing: the file is as long as the image.
    case none
    /// Bytes that MCUboot does not look at; `areErased` when all of them are 0xFF (or all 0x00).
    case filler(byteCount: Int, areErased: Bool)
    /// The trailer of the slot, as `imgtool sign --pad` writes it: the file is as long as the slot.
    case trailer(MCUbootTrailer)

    init(_ payload: [UInt8], from offset: Int, header: MCUbootHeader) {
        let tail = payload[offset...]
        guard let last = tail.last else {
            self = .none
            return
        }
        if let trailer = MCUbootTrailer(tail, byteOrder: header.byteOrder) {
            self = .trailer(trailer)
            return
        }
        let areErased = (last == 0xFF || last == 0) && tail.allSatisfy { $0 == last }
        self = .filler(byteCount: tail.count, areErased: areErased)
    }
}

/// The trailer at the end of a slot, by which MCUboot knows what to do with the image.
public struct MCUbootTrailer: Sendable, Equatable {
    /// Padding and trailer together, in bytes.
    public let byteCount: Int
    /// The largest write unit for which the trailer is laid out, in bytes.
    public let largestAlignment: Int
    /// Whether `image_ok` is set: the image stays for good and MCUboot does not revert it.
    public let isConfirmed: Bool

    /// The 16 bytes that end a trailer with write units of up to 8 bytes (`boot_img_magic`).
    private static let shortMagic: [UInt8] = [
        0x77, 0xc2, 0x95, 0xf3, 0x60, 0xd2, 0xef, 0x7f,
        0x35, 0x52, 0x50, 0x0f, 0x2c, 0xb6, 0x79, 0x80,
    ]
    /// The last 14 bytes for larger write units; the alignment stands in the two before them.
    private static let longMagicTail: [UInt8] = [
        0x2d, 0xe1, 0x5d, 0x29, 0x41, 0x0b, 0x8d, 0x77,
        0x67, 0x9c, 0x11, 0x0f, 0x1f, 0x8a,
    ]
    /// MCUboot's largest write unit, in bytes.
    private static let alignmentBound = 1024

    init?(_ tail: ArraySlice<UInt8>, byteOrder: ByteOrder) {
        let magic = [UInt8](tail.suffix(Self.shortMagic.count))
        guard magic.count == Self.shortMagic.count else { return nil }
        if magic == Self.shortMagic {
            largestAlignment = 8
        } else if magic.suffix(Self.longMagicTail.count) == Self.longMagicTail[...],
            let alignment = ByteReader(magic, order: byteOrder).integer16(at: 0),
            (9...Self.alignmentBound).contains(Int(alignment))
        {
            largestAlignment = Int(alignment)
        } else {
            return nil
        }
        byteCount = tail.count
        // `image_ok` takes one unit in front of the magic, which itself is padded to whole units.
        let magicUnits = (magic.count + largestAlignment - 1) / largestAlignment
        let distance = (magicUnits + 1) * largestAlignment
        isConfirmed = tail.count >= distance && tail[tail.endIndex - distance] == 1
    }
}

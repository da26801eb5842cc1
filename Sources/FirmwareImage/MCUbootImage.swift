/// An MCUboot image: header, body, TLV records and, in a padded file, the trailer of the slot.
///
/// Layout (MCUboot's `docs/design.md`): header of `headerSize` bytes, body of `imageSize` bytes,
/// the protected TLV area if the header announces one, the TLV area, then whatever fills the
/// slot.
public struct MCUbootImage: Sendable, Equatable {
    /// The header.
    public let header: MCUbootHeader
    /// The records of both areas, the protected ones first, in the order of the file.
    public let tlvs: [MCUbootTLV]
    /// The length of header, body and TLV areas, in bytes: all that the device needs.
    public let byteCount: Int
    /// What lies behind the TLV areas.
    public let tail: MCUbootTail

    /// Reads the image at the start of a payload.
    init(_ payload: [UInt8]) throws(ImageError) {
        header = try MCUbootHeader(payload)
        var areas = TLVAreas(payload, header: header)
        try areas.readAll()
        tlvs = areas.records
        byteCount = areas.endOffset
        tail = MCUbootTail(payload, from: areas.endOffset, header: header)
    }

    /// The first record of a type.
    public func first(_ type: MCUbootTLVType) -> MCUbootTLV? {
        tlvs.first { $0.type == type }
    }

    /// The records that state a digest of the image.
    public var hashRecords: [MCUbootTLV] { tlvs.filter { $0.type.digestAlgorithm != nil } }

    /// Whether the body is encrypted: the header says so, and a record carries the key for it.
    ///
    /// The flag alone is not believed: it may be the very bit that is damaged.
    public var isEncrypted: Bool {
        header.flags.isEncrypted && tlvs.contains { $0.type.isEncryptedKey }
    }

    /// The kinds of signature that the image carries, in the order of the file.
    public var signatureKinds: [SignatureKind] { signatures.map(\.kind) }

    /// The counter against downgrades, if the image carries one.
    public var securityCounter: UInt32? {
        first(.securityCounter).flatMap {
            ByteReader($0.value, order: header.byteOrder).integer32(at: 0)
        }
    }

    /// The vendor identifier, if the image carries one: 16 bytes.
    public var vendorID: [UInt8]? {
        (first(.vendorID) ?? first(.vendorIDByDesignDocument))?.value
    }

    /// The identifier of the class of devices, if the image carries one: 16 bytes.
    public var classID: [UInt8]? {
        (first(.classID) ?? first(.classIDByDesignDocument))?.value
    }

    /// The images that this one depends on, each with the lowest version that will do.
    public var dependencies: [(imageIndex: UInt8, lowestVersion: MCUbootVersion)] {
        tlvs.filter { $0.type == .dependency }.compactMap { record in
            let reader = ByteReader(record.value, order: header.byteOrder)
            guard let index = record.value.first, let version = MCUbootVersion(reader, at: 4)
            else { return nil }
            return (index, version)
        }
    }
}

/// Walks the two TLV areas behind an image's body, the way MCUboot's `bootutil_tlv_iter_begin`
/// does.
private struct TLVAreas {
    static let protectedMagic: UInt16 = 0x6908
    static let plainMagic: UInt16 = 0x6907
    /// An area starts with magic and total length, a record with type and length: 16 bits each.
    static let prefixByteCount = 4

    let reader: ByteReader
    let header: MCUbootHeader
    private(set) var records: [MCUbootTLV] = []
    private(set) var endOffset: Int

    init(_ payload: [UInt8], header: MCUbootHeader) {
        self.reader = ByteReader(payload, order: header.byteOrder)
        self.header = header
        self.endOffset = header.bodyEndOffset
    }

    mutating func readAll() throws(ImageError) {
        let available = reader.bytes.count
        guard endOffset <= available else {
            throw .mcuboot(.bodyCutShort(neededByteCount: endOffset, byteCount: available))
        }
        if header.protectedTLVSize != 0 {
            let size = try readArea(magic: Self.protectedMagic, isProtected: true)
            guard size == header.protectedTLVSize else {
                throw .mcuboot(
                    .protectedSizeMismatch(header: header.protectedTLVSize, area: size))
            }
        }
        _ = try readArea(magic: Self.plainMagic, isProtected: false)
    }

    /// Reads the area that starts at `endOffset`, moves that behind it, and returns its length.
    private mutating func readArea(magic: UInt16, isProtected: Bool) throws(ImageError) -> UInt16 {
        let start = endOffset
        guard let found = reader.integer16(at: start), let size = reader.integer16(at: start + 2)
        else {
            throw .mcuboot(.tlvAreaCutShort(offset: start, byteCount: reader.bytes.count))
        }
        guard found == magic else {
            throw .mcuboot(.noTLVArea(offset: start, expected: magic, found: found))
        }
        let end = start + Int(size)
        guard Int(size) >= Self.prefixByteCount, end <= reader.bytes.count else {
            throw .mcuboot(.tlvAreaCutShort(offset: start, byteCount: reader.bytes.count))
        }
        try readRecords(from: start + Self.prefixByteCount, to: end, isProtected: isProtected)
        endOffset = end
        return size
    }

    private mutating func readRecords(
        from start: Int, to end: Int, isProtected: Bool
    ) throws(ImageError) {
        var offset = start
        while offset < end {
            guard
                let type = reader.integer16(at: offset),
                let length = reader.integer16(at: offset + 2),
                offset + Self.prefixByteCount + Int(length) <= end,
                let value = reader.slice(
                    at: offset + Self.prefixByteCount, count: Int(length))
            else { throw .mcuboot(.recordOverrunsArea(offset: offset)) }
            records.append(
                MCUbootTLV(
                    type: MCUbootTLVType(stored: type, order: reader.order),
                    isProtected: isProtected,
                    valueOffset: value.startIndex, value: [UInt8](value)))
            offset = value.endIndex
        }
    }
}

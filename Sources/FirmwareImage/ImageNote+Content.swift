extension ImageNote {
    /// How many bytes are looked at to tell text from code.
    private static let textProbeByteCount = 512

    /// Files that people hand in by mistake, told by their first bytes.
    private static let containers: [(magic: [UInt8], name: String)] = [
        ([0x50, 0x4B, 0x03, 0x04], "a ZIP archive (a DFU package, for instance)"),
        ([0x1F, 0x8B, 0x08], "a gzip file"),
        ([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00], "an xz file"),
        ([0x28, 0xB5, 0x2F, 0xFD], "a Zstandard file"),
        ([0xD8, 0x6B], "a SUIT envelope"),
    ]

    /// What there is to say about a payload without MCUboot's header.
    static func notes(onPlain payload: [UInt8], format: ImageFormat) -> [ImageNote] {
        let head = payload.prefix(MCUbootHeader.fieldByteCount)
        let isLongEnough = head.count == MCUbootHeader.fieldByteCount
        if isLongEnough, let first = head.first, first == 0 || first == 0xFF,
            head.allSatisfy({ $0 == first })
        {
            return [.blankHeader]
        }
        if ByteReader(payload).integer32(at: 0) == MCUbootHeader.obsoleteMagic {
            return [.obsoleteHeader]
        }
        guard format == .raw else { return format == .elf ? [.unsignedExecutable] : [] }
        for (magic, name) in containers where payload.starts(with: magic) {
            return [.container(name)]
        }
        let isText = payload.prefix(textProbeByteCount).allSatisfy(isTextByte)
        return isText ? [.looksLikeText] : [.plainBinary]
    }

    /// What there is to say about an MCUboot image in a payload of a given length.
    static func notes(on image: MCUbootImage, payloadByteCount: Int) -> [ImageNote] {
        var notes: [ImageNote] = []
        switch image.tail {
        case .none: break
        case .trailer:
            notes.append(.padded(imageByteCount: image.byteCount, byteCount: payloadByteCount))
        case .filler(let byteCount, let areErased):
            notes.append(.trailingBytes(byteCount: byteCount, areErased: areErased))
        }
        if image.hashRecords.isEmpty { notes.append(.noHash) }
        if image.signatureKinds.isEmpty { notes.append(.unsigned) }
        if image.isEncrypted { notes.append(.encrypted) }
        if image.header.flags.isCompressed { notes.append(.compressed) }
        if image.header.flags.contains(.nonBootable) { notes.append(.nonBootable) }
        return notes
    }

    private static func isTextByte(_ byte: UInt8) -> Bool {
        (0x20...0x7E).contains(byte) || (0x09...0x0D).contains(byte)
    }
}

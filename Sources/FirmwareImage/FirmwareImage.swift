/// Firmware as a build server hands it out, made ready for a device's slot.
///
/// `parse` takes the bytes of a file, tells the format, flattens HEX, UF2 and ELF files, and
/// reads the MCUboot header and records if there are any. `checkHash` and `verify` then prove
/// that the image is intact and who made it; the cryptography for that comes from the caller.
public struct FirmwareImage: Sendable, Equatable {
    /// The format of the file. A HEX, UF2 or ELF file may contain an MCUboot image all the same.
    public let format: ImageFormat
    /// The bytes that belong into the slot, from its first one on.
    public let payload: [UInt8]
    /// The address of the first byte, `nil` where the format knows no addresses.
    public let baseAddress: UInt64?
    /// The address at which execution starts, where the file states one.
    public let entryAddress: UInt64?
    /// What a UF2 file says about its target and its firmware, `nil` for other formats.
    public let uf2: UF2Description?
    /// The MCUboot image that the payload starts with, if it does.
    public let mcuboot: MCUbootImage?
    /// What the user should know.
    public let notes: [ImageNote]

    /// Reads a file of any of the formats.
    ///
    /// - Throws: `ImageError` when the file is empty, too large, damaged, or not one image.
    public static func parse(
        _ bytes: [UInt8], options: ParseOptions = ParseOptions()
    ) throws(ImageError) -> FirmwareImage {
        guard !bytes.isEmpty else { throw .empty }
        guard bytes.count <= ParseOptions.largestFileByteCount else {
            throw .fileTooLarge(
                byteCount: bytes.count, limit: ParseOptions.largestFileByteCount)
        }
        let format = ImageFormat.detect(bytes)
        if let expected = options.expectedFormat, !format.satisfies(expected) {
            throw .notAsExpected(expected: expected, found: format)
        }
        switch format {
        case .raw, .mcuboot:
            return try FirmwareImage(format: format, contents: ImageContents(payload: bytes))
        case .intelHex:
            return try FirmwareImage(
                format: format, contents: IntelHexReader.contents(of: bytes, options: options))
        case .uf2:
            return try FirmwareImage(
                format: format, contents: UF2Image.contents(of: bytes, options: options))
        case .elf:
            return try FirmwareImage(
                format: format, contents: ELFImage.contents(of: bytes, options: options))
        }
    }

    private init(format: ImageFormat, contents: ImageContents) throws(ImageError) {
        let startsAsMCUboot = MCUbootHeader.byteOrder(of: ByteReader(contents.payload)) != nil
        let image = startsAsMCUboot ? try MCUbootImage(contents.payload) : nil
        self.format = format
        self.payload = contents.payload
        self.baseAddress = contents.baseAddress
        self.entryAddress = contents.entryAddress
        self.uf2 = contents.uf2
        self.mcuboot = image
        self.notes =
            contents.notes
            + (image.map { ImageNote.notes(on: $0, payloadByteCount: contents.payload.count) }
                ?? ImageNote.notes(onPlain: contents.payload, format: format))
    }
}

/// What a format's reader found in a file, before MCUboot is looked for.
struct ImageContents {
    var payload: [UInt8]
    var baseAddress: UInt64?
    var entryAddress: UInt64?
    var uf2: UF2Description?
    var notes: [ImageNote] = []
}

extension ImageFormat {
    /// An MCUboot image is a binary too; nothing else passes for another format.
    fileprivate func satisfies(_ expected: ImageFormat) -> Bool {
        self == expected || (expected == .raw && self == .mcuboot)
    }
}

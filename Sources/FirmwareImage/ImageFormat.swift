/// The formats in which build servers hand out firmware.
public enum ImageFormat: String, Sendable, Hashable, CaseIterable {
    /// A plain binary: the bytes as they lie in flash, with no structure that is known here.
    case raw
    /// A binary that starts with an MCUboot header.
    case mcuboot
    /// Intel HEX, a text format with addresses and checksums.
    case intelHex = "intel-hex"
    /// Microsoft's UF2, 512-byte blocks for drag-and-drop bootloaders.
    case uf2
    /// An executable in the Executable and Linkable Format.
    case elf

    /// The name of the format in running text.
    public var displayName: String {
        switch self {
        case .raw: "raw binary"
        case .mcuboot: "MCUboot image"
        case .intelHex: "Intel HEX file"
        case .uf2: "UF2 file"
        case .elf: "ELF file"
        }
    }

    /// The format that a file name's extension promises, `nil` where it promises none.
    ///
    /// `.bin` promises nothing: both raw binaries and MCUboot images are called that.
    public init?(fileExtension: String) {
        switch fileExtension.lowercased() {
        case "hex", "ihex", "ihx": self = .intelHex
        case "uf2": self = .uf2
        case "elf", "axf": self = .elf
        default: return nil
        }
    }

    /// Tells the format by the first bytes of a file.
    ///
    /// One damaged magic number does not turn a UF2 file into a raw binary: two of its three are
    /// enough. For the same reason any text that starts with a colon counts as Intel HEX.
    public static func detect(_ bytes: [UInt8]) -> ImageFormat {
        let reader = ByteReader(bytes)
        if bytes.starts(with: ELFImage.magic) { return .elf }
        if UF2Block.looksLikeOne(reader) { return .uf2 }
        if IntelHexReader.looksLikeOne(bytes) { return .intelHex }
        if MCUbootHeader.byteOrder(of: reader) != nil { return .mcuboot }
        return .raw
    }
}

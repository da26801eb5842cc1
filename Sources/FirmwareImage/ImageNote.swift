/// Something about a valid image that its user should know before it is sent.
public enum ImageNote: Equatable, Sendable {
    /// A raw binary: nothing in it by which damage, version or origin could be told.
    case plainBinary
    /// The first bytes are blank where MCUboot's header belongs: `imgtool sign` has not run.
    case blankHeader
    /// The header is of MCUboot's obsolete first version.
    case obsoleteHeader
    /// The file is text.
    case looksLikeText
    /// The file is an archive or a container of some other kind, given by its name.
    case container(String)
    /// An executable's segments carry no MCUboot header.
    case unsignedExecutable
    /// The first segment starts with the ELF file's own headers.
    case carriesELFHeaders
    /// Padded to the length of the slot: `imageByteCount` of `byteCount` bytes are the image.
    case padded(imageByteCount: Int, byteCount: Int)
    /// Bytes behind the image that MCUboot does not look at.
    case trailingBytes(byteCount: Int, areErased: Bool)
    /// No record states the image's hash.
    case noHash
    /// No signature.
    case unsigned
    /// The body is encrypted.
    case encrypted
    /// The body is compressed.
    case compressed
    /// Not meant to be booted.
    case nonBootable
    /// Gaps between the pieces were filled with the erased value.
    case gapsFilled(gapCount: Int, byteCount: Int)
    /// Bytes that the file states twice, with the same value.
    case repeatedBytes(byteCount: Int)
    /// Bytes outside of the range of addresses that was asked for.
    case outsideRange(byteCount: Int)
    /// UF2 blocks that are not for the main flash, or of another family than asked for.
    case skippedBlocks(count: Int)

    /// The note as a sentence, with the reason where it is not plain.
    public var sentence: String {
        switch self {
        case .plainBinary:
            "Plain binary: nothing in it tells its version or whether it is intact."
        case .blankHeader:
            "The place of the MCUboot header is blank: this looks like the input of "
                + "`imgtool sign`, not its output."
        case .obsoleteHeader:
            "The header is of MCUboot's first version, which current bootloaders refuse."
        case .looksLikeText:
            "This looks like text, not like firmware."
        case .container(let name):
            "This looks like \(name), not like firmware: unpack it and take the image inside."
        case .unsignedExecutable:
            "An executable without an MCUboot header: a device with MCUboot wants the output "
                + "of `imgtool sign`."
        case .carriesELFHeaders:
            "The first segment contains the ELF headers themselves: the linker script should "
                + "keep them out of flash."
        case .padded(let imageByteCount, let byteCount):
            "Padded to the length of the slot: \(byteCount) bytes, of which \(imageByteCount) "
                + "are the image. Sign without `--pad` to send less."
        case .trailingBytes(let byteCount, let areErased):
            "\(byteCount) \(areErased ? "blank " : "")bytes follow the image."
        case .noHash:
            "The image states no hash: MCUboot refuses such an image."
        case .unsigned:
            "The image is not signed: a bootloader that checks signatures refuses it."
        case .encrypted:
            "The image is encrypted: only the device can check its hash."
        case .compressed:
            "The image is compressed: the device unpacks it."
        case .nonBootable:
            "The image is marked as not bootable."
        case .gapsFilled(let gapCount, let byteCount):
            "\(gapCount) gaps, \(byteCount) bytes in all, are filled with the erased value."
        case .repeatedBytes(let byteCount):
            "\(byteCount) bytes stand in the file twice, with the same values."
        case .outsideRange(let byteCount):
            "\(byteCount) bytes outside of the chosen address range are left out."
        case .skippedBlocks(let count):
            "\(count) blocks are for another memory or another chip and are left out."
        }
    }

    /// Whether the note is a reason to stop and look; the others only inform.
    public var isWarning: Bool {
        switch self {
        case .blankHeader, .obsoleteHeader, .looksLikeText, .container, .carriesELFHeaders,
            .padded, .noHash, .unsigned:
            true
        case .plainBinary, .unsignedExecutable, .trailingBytes, .encrypted, .compressed,
            .nonBootable, .gapsFilled, .repeatedBytes, .outsideRange, .skippedBlocks:
            false
        }
    }
}

/// What can be wrong with an MCUboot image before its hash is even looked at.
public enum MCUbootProblem: Equatable, Sendable {
    /// The payload does not start with MCUboot's magic number.
    case noMagic
    /// The payload ends within the 32 bytes of the header.
    case headerCutShort(byteCount: Int)
    /// The header claims to be shorter than its own fields.
    case headerTooSmall(headerSize: UInt16)
    /// The payload ends within the body.
    case bodyCutShort(neededByteCount: Int, byteCount: Int)
    /// Behind the body lies something else than a TLV area.
    case noTLVArea(offset: Int, expected: UInt16, found: UInt16)
    /// The payload ends within a TLV area, or the area claims less than its own four bytes.
    case tlvAreaCutShort(offset: Int, byteCount: Int)
    /// Header and protected TLV area disagree about the area's length.
    case protectedSizeMismatch(header: UInt16, area: UInt16)
    /// A record reaches beyond its area.
    case recordOverrunsArea(offset: Int)

    var explanation: Explanation {
        Explanation(
            error: "This is not a whole MCUboot image: \(fault).",
            reason: "The device's bootloader would refuse it.",
            advice: advice)
    }

    private var fault: String {
        switch self {
        case .noMagic:
            "it does not start with the magic number 0x96F3B83D"
        case .headerCutShort(let byteCount):
            "it ends after \(byteCount) of the header's \(MCUbootHeader.fieldByteCount) bytes"
        case .headerTooSmall(let size):
            "the header gives its own size as \(size) bytes, "
                + "and its fields alone take \(MCUbootHeader.fieldByteCount)"
        case .bodyCutShort(let needed, let byteCount):
            "header and body take \(needed) bytes, and there are \(byteCount)"
        case .noTLVArea(let offset, let expected, let found):
            "at offset \(offset) the TLV magic should be \(hexadecimal(expected, digits: 4)) "
                + "and is \(hexadecimal(found, digits: 4))"
        case .tlvAreaCutShort(let offset, let byteCount):
            "the TLV area at offset \(offset) does not fit the file of \(byteCount) bytes"
        case .protectedSizeMismatch(let header, let area):
            "the header announces \(header) bytes of protected TLVs, the area itself \(area)"
        case .recordOverrunsArea(let offset):
            "the TLV record at offset \(offset) reaches beyond its area"
        }
    }

    private var advice: String {
        switch self {
        case .headerCutShort, .bodyCutShort, .tlvAreaCutShort:
            "The file was probably cut short on its way: copy it again, or sign the build again."
        case .noMagic, .noTLVArea:
            "Sign the build with `imgtool sign`, and use the file that it writes."
        case .headerTooSmall, .protectedSizeMismatch, .recordOverrunsArea:
            "The file is damaged: copy it again, or sign the build again."
        }
    }
}

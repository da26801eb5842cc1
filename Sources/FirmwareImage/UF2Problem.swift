/// What can be wrong with a UF2 file. Positions of blocks in the file count from 1, numbers from 0.
public enum UF2Problem: Equatable, Sendable {
    /// The file does not consist of whole blocks.
    case cutShort(byteCount: Int)
    /// A block lacks one of its magic numbers.
    case badMagic(block: Int)
    /// A block claims more payload than it has room for.
    case payloadTooLarge(block: Int, byteCount: UInt32, limit: Int)
    /// A block's number is not below the number of blocks.
    case numberOutOfRange(block: Int, number: UInt32, count: UInt32)
    /// Two blocks disagree about the number of blocks.
    case countDiffers(block: Int, count: UInt32, firstCount: UInt32)
    /// A block comes twice, with different contents.
    case doubledBlockDiffers(number: UInt32, first: Int, second: Int)
    /// Blocks are missing.
    case blocksMissing(firstMissing: Int, missingCount: Int, count: Int)
    /// The blocks are for several chip families.
    case severalFamilies(UInt32, UInt32)
    /// No block is for the family that was asked for.
    case noSuchFamily(UInt32)

    var explanation: Explanation {
        switch self {
        case .severalFamilies(let first, let second):
            Explanation(
                error: "The UF2 file holds firmware for several chips.",
                reason: "Its blocks name the families \(hexadecimal(first)) and "
                    + "\(hexadecimal(second)).",
                advice: "Choose the family of the device's chip.")
        case .noSuchFamily(let family):
            Explanation(
                error: "The UF2 file holds nothing for the family \(hexadecimal(family)).",
                reason: "All of its blocks name other families.",
                advice: "Choose one of the families that the file is for.")
        case .cutShort, .badMagic, .payloadTooLarge, .numberOutOfRange, .countDiffers,
            .doubledBlockDiffers, .blocksMissing:
            Explanation(
                error: "The UF2 file is damaged: \(damage).",
                reason: "Firmware from a damaged file would not run.",
                advice: "Copy the file again, or build it again.")
        }
    }

    private var damage: String {
        switch self {
        case .cutShort(let byteCount):
            "its \(byteCount) bytes are not a multiple of \(UF2Block.byteCount)"
        case .badMagic(let block):
            "block \(block) lacks one of its magic numbers"
        case .payloadTooLarge(let block, let byteCount, let limit):
            "block \(block) claims \(byteCount) bytes of payload and has room for \(limit)"
        case .numberOutOfRange(let block, let number, let count):
            "block \(block) calls itself number \(number) of \(count), counted from 0"
        case .countDiffers(let block, let count, let firstCount):
            "block \(block) speaks of \(count) blocks, the ones before it of \(firstCount)"
        case .doubledBlockDiffers(let number, let first, let second):
            "blocks \(first) and \(second) both are number \(number), with different contents"
        case .blocksMissing(let firstMissing, let missingCount, let count):
            "\(missingCount) of \(count) blocks are missing, the first of them number "
                + "\(firstMissing)"
        case .severalFamilies, .noSuchFamily:
            "its blocks are not for one chip"
        }
    }
}

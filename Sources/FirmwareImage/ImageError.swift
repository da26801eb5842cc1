/// Why a file cannot be taken for firmware. Every case explains itself.
public enum ImageError: Error, Equatable, Sendable {
    /// The file has no bytes.
    case empty
    /// The file is longer than anything that is looked at.
    case fileTooLarge(byteCount: Int, limit: Int)
    /// The file is not what its name, or the caller, says it is.
    case notAsExpected(expected: ImageFormat, found: ImageFormat)
    /// An Intel HEX file is damaged; lines count from 1.
    case intelHex(IntelHexProblem, line: Int)
    /// A UF2 file is damaged, incomplete or for several chips.
    case uf2(UF2Problem)
    /// An ELF file is damaged or not an executable.
    case elf(ELFProblem)
    /// The file starts like an MCUboot image, but is not a whole one.
    case mcuboot(MCUbootProblem)
    /// The pieces of a HEX, UF2 or ELF file do not make one image.
    case memory(MemoryProblem)

    /// What is wrong, why, and what to do next.
    public var explanation: Explanation {
        switch self {
        case .empty:
            Explanation(
                error: "The file is empty.",
                reason: "There is no firmware in it.",
                advice: "Look whether the build that should have written it went through.")
        case .fileTooLarge(let byteCount, let limit):
            Explanation(
                error: "The file has \(byteCount) bytes, more than the limit of \(limit).",
                reason: "No firmware image for a device of this kind is that large.",
                advice: "Check that this is the right file.")
        case .notAsExpected(let expected, let found):
            Explanation(
                error: "This should be a \(expected.displayName), but reads as a "
                    + "\(found.displayName).",
                reason: "Its first bytes are not those of a \(expected.displayName).",
                advice: "The file is damaged or misnamed: build it again, or name its format.")
        case .intelHex(let problem, let line): problem.explanation(line: line)
        case .uf2(let problem): problem.explanation
        case .elf(let problem): problem.explanation
        case .mcuboot(let problem): problem.explanation
        case .memory(let problem): problem.explanation
        }
    }
}

extension ImageError: CustomStringConvertible {
    /// The explanation on one line.
    public var description: String { explanation.description }
}

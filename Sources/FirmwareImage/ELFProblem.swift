/// What can be wrong with an ELF file. Segments count from 1.
public enum ELFProblem: Equatable, Sendable {
    /// The file ends within its header.
    case cutShort(byteCount: Int)
    /// Neither 32-bit nor 64-bit.
    case unknownClass(UInt8)
    /// Neither little-endian nor big-endian.
    case unknownByteOrder(UInt8)
    /// An object file that was not linked.
    case notLinked
    /// No segment puts anything into memory.
    case nothingToLoad
    /// More program headers than are looked at.
    case tooManySegments(count: Int, limit: Int)
    /// Program headers are shorter than their fields.
    case badEntrySize(byteCount: Int)
    /// The program headers lie outside of the file.
    case tableOutside(offset: UInt64)
    /// A segment lies outside of the file.
    case segmentOutside(segment: Int, offset: UInt64, byteCount: UInt64)
    /// A segment has more bytes in the file than in memory.
    case segmentLargerThanMemory(
        segment: Int, fileByteCount: UInt64, memoryByteCount: UInt64)

    var explanation: Explanation {
        switch self {
        case .notLinked:
            Explanation(
                error: "The ELF file is an object file.",
                reason: "It was not linked yet, so nothing in it has an address.",
                advice: "Give the executable that the linker writes.")
        case .nothingToLoad:
            Explanation(
                error: "The ELF file holds no firmware.",
                reason: "None of its segments puts anything into memory (PT_LOAD).",
                advice: "Give the executable that the linker writes, not its debug information.")
        case .cutShort, .unknownClass, .unknownByteOrder, .tooManySegments, .badEntrySize,
            .tableOutside, .segmentOutside, .segmentLargerThanMemory:
            Explanation(
                error: "The ELF file is damaged: \(damage).",
                reason: "Firmware from a damaged file would not run.",
                advice: "Copy the file again, or build it again.")
        }
    }

    private var damage: String {
        switch self {
        case .cutShort(let byteCount):
            "it ends after \(byteCount) bytes, within its header"
        case .unknownClass(let value):
            "its class is \(value), where 1 means 32 bits and 2 means 64"
        case .unknownByteOrder(let value):
            "its byte order is \(value), where 1 means little-endian and 2 big-endian"
        case .tooManySegments(let count, let limit):
            "it claims \(count) program headers, and the limit is \(limit)"
        case .badEntrySize(let byteCount):
            "its program headers claim to have \(byteCount) bytes"
        case .tableOutside(let offset):
            "its program headers at offset \(offset) lie outside of the file"
        case .segmentOutside(let segment, let offset, let byteCount):
            "segment \(segment), \(byteCount) bytes at offset \(offset), lies outside of the file"
        case .segmentLargerThanMemory(let segment, let fileByteCount, let memoryByteCount):
            "segment \(segment) has \(fileByteCount) bytes in the file and \(memoryByteCount) "
                + "in memory"
        case .notLinked, .nothingToLoad:
            "it puts nothing into memory"
        }
    }
}

/// What can be wrong with a line of an Intel HEX file.
public enum IntelHexProblem: Error, Equatable, Sendable {
    /// The line does not start with a colon.
    case noColon
    /// A character that is no hexadecimal digit.
    case notHexadecimal(UInt8)
    /// The line ends before the record does.
    case cutShort
    /// The line goes on behind the record.
    case tooLong(byteCount: Int, stated: Int)
    /// The checksum does not fit the line.
    case badChecksum(stated: UInt8, computed: UInt8)
    /// A type other than 00 to 05.
    case unknownType(UInt8)
    /// A record that is not as long as its type prescribes.
    case wrongLength(type: UInt8, byteCount: Int, prescribed: Int)
    /// The record crosses the end of its 64 KiB segment or of the 32-bit address space.
    case wrapsAround
    /// There is a record behind the end-of-file record.
    case dataAfterEnd
    /// The file ends without an end-of-file record.
    case noEndRecord

    func explanation(line: Int) -> Explanation {
        Explanation(
            error: "The Intel HEX file is damaged in line \(line): \(fault).",
            reason: "Firmware from a damaged file would not run.",
            advice: advice)
    }

    private var fault: String {
        switch self {
        case .noColon:
            "the line does not start with a colon"
        case .notHexadecimal(let character):
            "the character with the code \(character) is no hexadecimal digit"
        case .cutShort:
            "the line is shorter than the record that it starts"
        case .tooLong(let byteCount, let stated):
            "the record states \(stated) bytes of data, and the line has \(byteCount)"
        case .badChecksum(let stated, let computed):
            "the checksum is \(hexadecimal(stated, digits: 2)) and should be "
                + hexadecimal(computed, digits: 2)
        case .unknownType(let type):
            "record type \(hexadecimal(type, digits: 2)) does not exist"
        case .wrongLength(let type, let byteCount, let prescribed):
            "a record of type \(hexadecimal(type, digits: 2)) takes \(prescribed) bytes of data, "
                + "and this one has \(byteCount)"
        case .wrapsAround:
            "the record crosses the end of its address range"
        case .dataAfterEnd:
            "it stands behind the end-of-file record"
        case .noEndRecord:
            "the file ends without an end-of-file record"
        }
    }

    private var advice: String {
        switch self {
        case .noEndRecord, .cutShort:
            "The file was probably cut short on its way: copy it again, or build it again."
        case .dataAfterEnd:
            "Two files may have been joined: merge them with a tool that knows the format."
        case .noColon, .notHexadecimal, .tooLong, .badChecksum, .unknownType, .wrongLength,
            .wrapsAround:
            "Copy the file again, or build it again."
        }
    }
}

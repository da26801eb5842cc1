/// One line of an Intel HEX file, its checksum checked.
struct IntelHexRecord {
    enum RecordType: UInt8 {
        case data = 0x00
        case endOfFile = 0x01
        case extendedSegmentAddress = 0x02
        case startSegmentAddress = 0x03
        case extendedLinearAddress = 0x04
        case startLinearAddress = 0x05

        /// The length that the format prescribes, `nil` for data.
        var prescribedByteCount: Int? {
            switch self {
            case .data: nil
            case .endOfFile: 0
            case .extendedSegmentAddress, .extendedLinearAddress: 2
            case .startSegmentAddress, .startLinearAddress: 4
            }
        }
    }

    /// Length, two bytes of address, type and checksum.
    private static let frameByteCount = 5

    let type: RecordType
    /// The 16-bit address field.
    let offset: UInt16
    let data: ArraySlice<UInt8>

    /// The data as a big-endian number, for the records that carry an address.
    var number: UInt32 { data.prefix(4).reduce(0) { $0 << 8 | UInt32($1) } }

    init(_ line: ArraySlice<UInt8>) throws(IntelHexProblem) {
        let bytes = try Self.decode(line)
        guard let length = bytes.first, bytes.count >= Self.frameByteCount else {
            throw .cutShort
        }
        guard bytes.count == Int(length) + Self.frameByteCount else {
            throw bytes.count < Int(length) + Self.frameByteCount
                ? .cutShort
                : .tooLong(byteCount: bytes.count - Self.frameByteCount, stated: Int(length))
        }
        let stated = bytes[bytes.count - 1]
        let computed = 0 &- bytes.dropLast().reduce(0, &+)
        guard stated == computed else {
            throw .badChecksum(stated: stated, computed: computed)
        }
        guard let type = RecordType(rawValue: bytes[3]) else {
            throw .unknownType(bytes[3])
        }
        if let prescribed = type.prescribedByteCount, prescribed != Int(length) {
            throw .wrongLength(type: bytes[3], byteCount: Int(length), prescribed: prescribed)
        }
        self.type = type
        self.offset = UInt16(bytes[1]) << 8 | UInt16(bytes[2])
        self.data = bytes[4..<(bytes.count - 1)]
    }

    /// Turns `:` and pairs of digits into bytes; blanks around the record do not count.
    private static func decode(_ line: ArraySlice<UInt8>) throws(IntelHexProblem) -> [UInt8] {
        let isBlank = { (byte: UInt8) in byte == 0x20 || byte == 0x09 || byte == 0x1A }
        var rest = line.drop(while: isBlank)
        while let last = rest.last, isBlank(last) { rest.removeLast() }
        guard rest.first == 0x3A else { throw .noColon }
        rest.removeFirst()
        var bytes: [UInt8] = []
        bytes.reserveCapacity(rest.count / 2)
        var high: UInt8?
        for character in rest {
            guard let digit = digit(character) else { throw .notHexadecimal(character) }
            if let first = high {
                bytes.append(first << 4 | digit)
                high = nil
            } else {
                high = digit
            }
        }
        guard high == nil else { throw .cutShort }
        return bytes
    }

    private static func digit(_ character: UInt8) -> UInt8? {
        switch character {
        case 0x30...0x39: character - 0x30
        case 0x41...0x46: character - 0x41 + 10
        case 0x61...0x66: character - 0x61 + 10
        default: nil
        }
    }
}

/// Reads Intel HEX (Intel's "Hexadecimal Object File Format Specification", revision A, 1988).
///
/// A record is a line `:LLAAAATT…CC`: length, address, type, data, and a checksum that makes the
/// sum of all bytes zero. Types 02 and 04 move the base to which the 16-bit addresses are
/// relative.
struct IntelHexReader {
    private enum Base {
        /// Record 02: addresses wrap within 64 KiB.
        case segment(UInt64)
        /// Record 04, and the state at the start.
        case linear(UInt64)
    }

    private static let addressEnd: UInt64 = 1 << 32
    private static let segmentByteCount: UInt64 = 1 << 16

    private var memory: MemoryMap
    private var base = Base.linear(0)
    private var entryAddress: UInt64?
    private var hasEnded = false

    private init(options: ParseOptions) {
        memory = MemoryMap(source: .line, options: options)
    }

    /// Flattens a whole file.
    static func contents(
        of bytes: [UInt8], options: ParseOptions
    ) throws(ImageError) -> ImageContents {
        var reader = IntelHexReader(options: options)
        let lineCount = try reader.readLines(of: bytes)
        guard reader.hasEnded else { throw .intelHex(.noEndRecord, line: lineCount) }
        var contents = try reader.memory.flattened()
        contents.entryAddress = reader.entryAddress
        return contents
    }

    private mutating func readLines(of bytes: [UInt8]) throws(ImageError) -> Int {
        var start = bytes.starts(with: Self.byteOrderMark) ? Self.byteOrderMark.count : 0
        var number = 0
        while start < bytes.count {
            number += 1
            let end = bytes[start...].firstIndex { $0 == 0x0A || $0 == 0x0D } ?? bytes.count
            let line = bytes[start..<end]
            if line.contains(where: { !Self.isBlank($0) }) {
                do throws(IntelHexProblem) {
                    try take(line)
                } catch { throw .intelHex(error, line: number) }
                if let data { try memory.add(data.bytes, at: data.address, number: number) }
                data = nil
            }
            let isPair = end + 1 < bytes.count && bytes[end] == 0x0D && bytes[end + 1] == 0x0A
            start = end + (isPair ? 2 : 1)
        }
        return number
    }

    /// The data of the line that was read last.
    private var data: (address: UInt64, bytes: ArraySlice<UInt8>)?

    private mutating func take(_ line: ArraySlice<UInt8>) throws(IntelHexProblem) {
        guard !hasEnded else { throw .dataAfterEnd }
        let record = try IntelHexRecord(line)
        switch record.type {
        case .data:
            guard !record.data.isEmpty else { return }
            data = (try address(of: record), record.data)
        case .endOfFile:
            hasEnded = true
        case .extendedSegmentAddress:
            base = .segment(UInt64(record.number) << 4)
        case .extendedLinearAddress:
            base = .linear(UInt64(record.number) << 16)
        case .startSegmentAddress:
            // CS and IP of an 8086.
            entryAddress = UInt64(record.number >> 16) << 4 + UInt64(record.number & 0xFFFF)
        case .startLinearAddress:
            entryAddress = UInt64(record.number)
        }
    }

    private func address(of record: IntelHexRecord) throws(IntelHexProblem) -> UInt64 {
        let offset = UInt64(record.offset)
        let end = offset + UInt64(record.data.count)
        switch base {
        case .segment(let start):
            guard end <= Self.segmentByteCount else { throw .wrapsAround }
            return start + offset
        case .linear(let start):
            guard start + end <= Self.addressEnd else { throw .wrapsAround }
            return start + offset
        }
    }
}

extension IntelHexReader {
    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// How many bytes are looked at to tell a HEX file.
    private static let probeByteCount = 256

    /// Whether a file is text whose first mark is a colon, or whose lines mostly start with one.
    static func looksLikeOne(_ bytes: [UInt8]) -> Bool {
        let skipped = bytes.starts(with: byteOrderMark) ? byteOrderMark.count : 0
        let probe = bytes.dropFirst(skipped).prefix(probeByteCount)
        guard probe.first(where: { !isBlank($0) && !isLineBreak($0) }) == colon else {
            return false
        }
        return probe.allSatisfy { (0x20...0x7E).contains($0) || isBlank($0) || isLineBreak($0) }
    }

    private static let colon: UInt8 = 0x3A

    private static func isLineBreak(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }

    /// Space, tab, and the Control-Z with which CP/M tools end text.
    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x1A
    }
}

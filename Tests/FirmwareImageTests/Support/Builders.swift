/// Writes Intel HEX lines by Intel's specification, independently of the reader under test.
enum HexLines {
    static let end = ":00000001FF\n"

    static func record(_ type: UInt8, _ offset: UInt16, _ data: [UInt8]) -> String {
        let body = [UInt8(data.count), UInt8(offset >> 8), UInt8(offset & 0xFF), type] + data
        let sum = body.reduce(0) { $0 + Int($1) }
        let checksum = UInt8((256 - sum % 256) % 256)
        return ":" + hex(body + [checksum]).uppercased() + "\n"
    }

    static func data(_ offset: UInt16, _ data: [UInt8]) -> String { record(0, offset, data) }

    static func linearBase(_ upper: UInt16) -> String {
        record(4, 0, [UInt8(upper >> 8), UInt8(upper & 0xFF)])
    }

    static func segmentBase(_ paragraph: UInt16) -> String {
        record(2, 0, [UInt8(paragraph >> 8), UInt8(paragraph & 0xFF)])
    }
}

/// One UF2 block by Microsoft's specification.
struct BlockBuilder {
    var flags: UInt32 = 0
    var address: UInt32 = 0x1000
    var payload: [UInt8] = [1, 2, 3, 4]
    var size: UInt32?
    var number: UInt32 = 0
    var count: UInt32 = 1
    var family: UInt32 = 0
    var behind: [UInt8] = []

    var bytes: [UInt8] {
        let words: [UInt32] = [
            0x0A32_4655, 0x9E5D_5157, flags, address, size ?? UInt32(payload.count), number,
            count, family,
        ]
        var block = words.flatMap { littleEndian($0) } + payload + behind
        block += [UInt8](repeating: 0, count: 508 - block.count)
        return block + littleEndian(UInt32(0x0AB1_6F30))
    }
}

/// The bytes of an integer, least significant first.
func littleEndian<Value: FixedWidthInteger>(_ value: Value) -> [UInt8] {
    withUnsafeBytes(of: value.littleEndian) { [UInt8]($0) }
}

/// An ELF file with program headers by the System V ABI.
struct ELFBuilder {
    struct Segment {
        var type: UInt32 = 1
        var virtualAddress: UInt64 = 0
        var physicalAddress: UInt64
        var bytes: [UInt8]
        var memoryByteCount: UInt64?
        var fileOffset: UInt64?
    }

    var is64 = false
    var isBigEndian = false
    var fileType: UInt16 = 2
    var entry: UInt64 = 0x8001
    var segments: [Segment] = []
    var tableOffset: UInt64?
    var segmentCount: UInt16?
    var entryByteCount: UInt16?

    var bytes: [UInt8] {
        let headerSize = is64 ? 64 : 52
        let entrySize = is64 ? 56 : 32
        var file: [UInt8] = [0x7F, 0x45, 0x4C, 0x46, is64 ? 2 : 1, isBigEndian ? 2 : 1, 1]
        file += [UInt8](repeating: 0, count: 9)
        file += half(fileType) + half(40) + number(1, 4) + word(entry)
        file += word(tableOffset ?? UInt64(headerSize)) + word(0) + number(0, 4)
        file += half(UInt16(headerSize)) + half(entryByteCount ?? UInt16(entrySize))
        file += half(segmentCount ?? UInt16(segments.count)) + half(0) + half(0) + half(0)
        var offset = headerSize + entrySize * segments.count
        for segment in segments {
            let place = segment.fileOffset ?? UInt64(offset)
            let size = UInt64(segment.bytes.count)
            file += number(UInt64(segment.type), 4)
            if is64 { file += number(5, 4) }
            file += word(place) + word(segment.virtualAddress) + word(segment.physicalAddress)
            file += word(size) + word(segment.memoryByteCount ?? size)
            if !is64 { file += number(5, 4) }
            file += word(4)
            offset += segment.bytes.count
        }
        return file + segments.flatMap(\.bytes)
    }

    private func half(_ value: UInt16) -> [UInt8] { number(UInt64(value), 2) }
    private func word(_ value: UInt64) -> [UInt8] { number(value, is64 ? 8 : 4) }

    private func number(_ value: UInt64, _ byteCount: Int) -> [UInt8] {
        let bytes = (0..<byteCount).map { UInt8(truncatingIfNeeded: value >> (8 * UInt64($0))) }
        return isBigEndian ? bytes.reversed() : bytes
    }
}

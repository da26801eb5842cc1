import Barge
import FirmwareImage

/// An MCUboot image by MCUboot's `docs/design.md`, field by field, so that any of them can be
/// wrong.
struct MCUbootBuilder {
    struct Record {
        var type: UInt16
        var value: [UInt8]
        var statedByteCount: UInt16?
    }

    var magic: UInt32 = 0x96f3_b83d
    var loadAddress: UInt32 = 0
    var headerSize: UInt16 = 32
    var protectedTLVSize: UInt16?
    var imageSize: UInt32?
    var flags: UInt32 = 0
    var body: [UInt8] = [0xB0, 0xB1, 0xB2, 0xB3]
    var protectedRecords: [Record] = []
    var records: [Record] = []
    var areaMagic: UInt16 = 0x6907
    var protectedAreaMagic: UInt16 = 0x6908
    var areaSize: UInt16?
    var tail: [UInt8] = []

    /// Header, body and protected records: what a hash covers.
    var hashedBytes: [UInt8] {
        let area = protectedRecords.isEmpty ? [] : area(protectedAreaMagic, protectedRecords)
        var bytes = littleEndian(magic) + littleEndian(loadAddress) + littleEndian(headerSize)
        bytes += littleEndian(protectedTLVSize ?? UInt16(area.count))
        bytes += littleEndian(imageSize ?? UInt32(body.count)) + littleEndian(flags)
        bytes += [1, 2] + littleEndian(UInt16(3)) + littleEndian(UInt32(4))
        bytes += littleEndian(UInt32(0))
        bytes += [UInt8](repeating: 0xFF, count: max(0, Int(headerSize) - bytes.count))
        return bytes + body + area
    }

    var bytes: [UInt8] {
        hashedBytes + area(areaMagic, records, size: areaSize) + tail
    }

    private func area(_ magic: UInt16, _ records: [Record], size: UInt16? = nil) -> [UInt8] {
        let contents = records.flatMap { record in
            littleEndian(record.type)
                + littleEndian(record.statedByteCount ?? UInt16(record.value.count))
                + record.value
        }
        return littleEndian(magic) + littleEndian(size ?? UInt16(contents.count + 4)) + contents
    }

    /// The same image with the record that states its SHA-256.
    func withHash() throws -> MCUbootBuilder {
        var result = self
        let covered = hashedBytes
        let digest = try OpenSSLCryptography().digest(covered.span.bytes, by: .sha256)
        result.records.append(Record(type: 0x10, value: digest))
        return result
    }
}

import BargeProtocol
import Testing

/// The check value is the catalog's for CRC-32/ISO-HDLC; the others are Python's `zlib.crc32`.
@Suite("CRC-32 (BTP-030)")
struct CRC32Tests {
    @Test("It has the check value of the catalog")
    func checkValue() {
        #expect(CRC32.value(of: Array("123456789".utf8).span.bytes) == 0xCBF4_3926)
    }

    @Test("It agrees with zlib on no bytes, one, and many")
    func zlibValues() {
        #expect(CRC32.value(of: [UInt8]().span.bytes) == 0)
        #expect(CRC32.value(of: Array("a".utf8).span.bytes) == 0xE8B7_BE43)
        #expect(CRC32.value(of: Array(UInt8.min...UInt8.max).span.bytes) == 0x2905_8C73)
        #expect(CRC32.value(of: [UInt8](repeating: 0xFF, count: 1000).span.bytes) == 0xE053_3230)
        #expect(CRC32.value(of: [UInt8](repeating: 0, count: 32).span.bytes) == 0x190A_55AD)
    }

    @Test("It agrees with zlib on every length around a step of eight bytes")
    func shortLengths() {
        let expected: [UInt32] = [
            0, 0xD202_EF8D, 0x36DE_2269, 0x0854_897F, 0x8BB9_8613, 0x515A_D3CC, 0x30EB_CF4A,
            0xAD58_09F9, 0x88AA_689F, 0xBCE1_4302, 0x456C_D746, 0xAD2D_8EE1, 0x9270_C965,
            0xE6FE_46B8, 0x69EF_56C8, 0xA06C_675E, 0xCECE_E288, 0x2C18_3A19,
        ]
        for (count, value) in expected.enumerated() {
            let bytes = (0..<count).map { UInt8($0) }
            #expect(CRC32.value(of: bytes.span.bytes) == value, "\(count) bytes")
        }
    }

    @Test("In pieces, byte by byte, and continued it comes to the same")
    func pieces() {
        let text = Array("123456789".utf8)
        for cut in 0...text.count {
            var check = CRC32()
            check.update(text.span.bytes.extracting(0..<cut))
            var continued = CRC32(continuing: check.value)
            for byte in text[cut...] { continued.update(byte) }
            #expect(continued.value == 0xCBF4_3926)
        }
    }
}

import FirmwareImage
import Testing

@Suite("Intel HEX")
struct IntelHexTests {
    @Test("The example record of Intel's specification era reads as its sixteen bytes")
    func publishedRecord() throws {
        // The example in Wikipedia's and most vendors' descriptions of the format.
        let text = ":10010000214601360121470136007EFE09D2190140\n:00000001FF\n"
        let image = try parse(text)
        #expect(image.format == .intelHex)
        #expect(image.baseAddress == 0x0100)
        #expect(hex(image.payload) == "214601360121470136007efe09d21901")
    }

    @Test(
        "Line ends, case, blank lines, a byte-order mark and a final Control-Z do not matter",
        arguments: [
            ":02000000abcd86\n:00000001ff\n", ":02000000ABCD86\r\n:00000001FF\r\n",
            ":02000000ABCD86\r:00000001FF\r", ":02000000ABCD86\n:00000001FF",
            "\n\n  :02000000ABCD86  \n\n:00000001FF\n\n", "\u{FEFF}:02000000ABCD86\n:00000001FF\n",
            ":02000000ABCD86\r\n:00000001FF\r\n\u{1A}",
        ])
    func spellings(text: String) throws {
        #expect(try parse(text).payload == [0xAB, 0xCD])
    }

    @Test("Extended linear and segment addresses move the base")
    func bases() throws {
        let linear = HexLines.linearBase(0x0800) + HexLines.data(0x1234, [7]) + HexLines.end
        #expect(try parse(linear).baseAddress == 0x0800_1234)
        let segment = HexLines.segmentBase(0x1200) + HexLines.data(0x0034, [7]) + HexLines.end
        #expect(try parse(segment).baseAddress == 0x1_2034)
    }

    @Test("Start records give the entry address")
    func entryAddress() throws {
        let linear = HexLines.data(0, [1]) + HexLines.record(5, 0, [0, 0, 0xC2, 0x41])
        #expect(try parse(linear + HexLines.end).entryAddress == 0xC241)
        // CS 0x1000 and IP 0x0123.
        let segment = HexLines.data(0, [1]) + HexLines.record(3, 0, [0x10, 0, 0x01, 0x23])
        #expect(try parse(segment + HexLines.end).entryAddress == 0x1_0123)
    }

    @Test("Gaps are filled with the erased value, and records may come in any order")
    func gaps() throws {
        let text = HexLines.data(0x14, [9]) + HexLines.data(0x10, [1, 2]) + HexLines.end
        let image = try parse(text)
        #expect(image.payload == [1, 2, 0xFF, 0xFF, 9])
        #expect(image.notes.contains(.gapsFilled(gapCount: 1, byteCount: 2)))
        var options = ParseOptions()
        options.erasedValue = 0
        #expect(try parse(text, options).payload == [1, 2, 0, 0, 9])
    }

    @Test("A gap of exactly the limit is filled, one byte more is refused")
    func gapLimit() throws {
        var options = ParseOptions()
        options.largestGapByteCount = 4
        let just = HexLines.data(0, [1]) + HexLines.data(5, [2]) + HexLines.end
        #expect(try parse(just, options).payload.count == 6)
        let over = HexLines.data(0, [1]) + HexLines.data(6, [2]) + HexLines.end
        #expect(throws: ImageError.memory(.gapTooLarge(from: 1, to: 6, limit: 4))) {
            try parse(over, options)
        }
    }

    @Test("A payload of exactly the limit is taken, one byte more is refused")
    func payloadLimit() throws {
        var options = ParseOptions()
        options.largestPayloadByteCount = 4
        let text = { HexLines.data(0, [UInt8](repeating: 1, count: $0)) + HexLines.end }
        #expect(try parse(text(4), options).payload.count == 4)
        #expect(throws: ImageError.memory(.tooLarge(byteCount: 5, limit: 4))) {
            try parse(text(5), options)
        }
    }

    @Test("Two gigabytes of gap are refused without being filled")
    func twoGigabytes() throws {
        let text =
            HexLines.data(0, [1]) + HexLines.linearBase(0x8000) + HexLines.data(0, [2])
            + HexLines.end
        #expect(
            throws: ImageError.memory(
                .gapTooLarge(from: 1, to: 0x8000_0000, limit: 16 << 20))
        ) { try parse(text) }
    }

    @Test("A range of addresses leaves out what lies far away")
    func addressRange() throws {
        // Flash and the UICR of an nRF52, as Nordic's tools merge them.
        let text =
            HexLines.data(0x100, [1, 2, 3]) + HexLines.linearBase(0x1000)
            + HexLines.data(0x1000, [4]) + HexLines.end
        var options = ParseOptions()
        options.addressRange = 0x101..<0x10_0000
        let image = try parse(text, options)
        #expect(image.payload == [2, 3])
        #expect(image.baseAddress == 0x101)
        #expect(image.notes.contains(.outsideRange(byteCount: 2)))
    }

    @Test("Bytes stated twice alike are taken once, contradictions name both lines")
    func overlaps() throws {
        let twice = HexLines.data(0, [1, 2, 3]) + HexLines.data(1, [2, 3, 4]) + HexLines.end
        let image = try parse(twice)
        #expect(image.payload == [1, 2, 3, 4])
        #expect(image.notes.contains(.repeatedBytes(byteCount: 2)))
        let bad = HexLines.data(0, [1, 2, 3]) + HexLines.data(1, [2, 9, 4]) + HexLines.end
        #expect(
            throws: ImageError.memory(
                .conflict(address: 2, source: "line", first: 1, second: 2))
        ) { try parse(bad) }
    }

    @Test("Damage is found, with the number of the line")
    func damage() {
        let good = HexLines.data(0, [1, 2])
        let cases: [(String, IntelHexProblem, Int)] = [
            (good + ":02000000ABCD87\n", .badChecksum(stated: 0x87, computed: 0x86), 2),
            (good + ":02000000ABCG86\n", .notHexadecimal(0x47), 2),
            (good + "\r\n02000000ABCD86\n", .noColon, 3),
            (good + ":020000", .cutShort, 2),
            (good + ":0200000", .cutShort, 2),
            (good + ":02000000ABCDEF86\n", .tooLong(byteCount: 3, stated: 2), 2),
            (good + HexLines.record(6, 0, []), .unknownType(6), 2),
            (
                good + HexLines.record(4, 0, [1]),
                .wrongLength(type: 4, byteCount: 1, prescribed: 2), 2
            ),
            (good + HexLines.end + good, .dataAfterEnd, 3),
            (good, .noEndRecord, 1),
            (HexLines.segmentBase(0) + HexLines.data(0xFFFF, [1, 2]), .wrapsAround, 2),
            (HexLines.linearBase(0xFFFF) + HexLines.data(0xFFFF, [1, 2]), .wrapsAround, 2),
        ]
        for (text, problem, line) in cases {
            #expect(throws: ImageError.intelHex(problem, line: line)) { try parse(text) }
        }
    }

    @Test("The last byte of the address space can be used")
    func lastAddress() throws {
        let text = HexLines.linearBase(0xFFFF) + HexLines.data(0xFFFF, [5]) + HexLines.end
        #expect(try parse(text).baseAddress == 0xFFFF_FFFF)
    }

    @Test("A file without data is refused")
    func noData() {
        #expect(throws: ImageError.memory(.noData(outsideByteCount: 0))) {
            try parse(HexLines.end)
        }
    }

    @Test("A HEX file whose first colon is damaged is refused where its name promises HEX")
    func misnamed() throws {
        let text = ";" + HexLines.data(0, [1]).dropFirst() + HexLines.end
        var options = ParseOptions()
        options.expectedFormat = ImageFormat(fileExtension: "HEX")
        #expect(throws: ImageError.notAsExpected(expected: .intelHex, found: .raw)) {
            try parse(text, options)
        }
        #expect(try parse(text).notes == [.looksLikeText])
    }

    private func parse(
        _ text: String, _ options: ParseOptions = ParseOptions()
    ) throws -> FirmwareImage {
        try FirmwareImage.parse([UInt8](text.utf8), options: options)
    }
}

import BargeProtocol
import Testing

@Suite("Frames in a stream")
struct FrameParserTests {
    private let fin = bytes(hex: FrameVectors.fin)

    private func parse(_ stream: [UInt8], limit: Int = 255) throws(ProtocolFault) -> ParsedFrame {
        var parser = FrameParser()
        parser.maximumBodyBytes = limit
        return try parser.next(in: stream.span.bytes)
    }

    /// A frame of this body length, with a check that agrees.
    private func frame(bodyBytes: Int) -> [UInt8] {
        Message.echo(byteCount: bodyBytes).frame(
            tag: 1, payload: [UInt8](repeating: 7, count: bodyBytes))
    }

    @Test("Cut anywhere, a frame asks for its header first and then for all of it (BTP-010)")
    func everyCut() throws {
        let echo = bytes(hex: FrameVectors.echo)
        for count in 0..<echo.count {
            let needed = count < 4 ? 4 : 12
            #expect(
                try parse(Array(echo[..<count])) == .incomplete(neededBytes: needed),
                "after \(count) bytes")
        }
        guard case .frame(let layout) = try parse(echo + fin) else {
            Issue.record("no frame")
            return
        }
        #expect(layout.type == 5 && layout.tag == 9 && layout.body == 4..<8)
        #expect(layout.totalBytes == 12, "what follows in the same SDU is left alone")
    }

    @Test("A check that does not agree is badCheck, whichever bit is wrong (BTP-030)")
    func everyBit() {
        for position in fin.indices where !(2...3).contains(position) {
            for bit in 0..<8 {
                var damaged = fin
                damaged[position] ^= 1 << UInt8(bit)
                #expect(throws: ProtocolFault.badCheck, "byte \(position), bit \(bit)") {
                    try parse(damaged)
                }
            }
        }
    }

    @Test("A body of exactly the announced length passes, one byte more does not (BTP-031)")
    func announcedLength() throws {
        for limit in [320, 4104, 65_535] {
            guard case .frame = try parse(frame(bodyBytes: limit), limit: limit) else {
                Issue.record("\(limit) bytes are refused")
                return
            }
            guard limit < 65_535 else { continue }
            #expect(throws: ProtocolFault.bodyTooLong(bytes: limit + 1)) {
                try parse(frame(bodyBytes: limit + 1), limit: limit)
            }
        }
    }

    @Test("Before HELLO the limit is 255 (BTP-031)")
    func limitBeforeHello() throws {
        let parser = FrameParser()
        let longest = frame(bodyBytes: 255)
        guard case .frame = try parser.next(in: longest.span.bytes) else {
            Issue.record("255 bytes are refused")
            return
        }
        #expect(throws: ProtocolFault.bodyTooLong(bytes: 256)) {
            try parser.next(in: frame(bodyBytes: 256).span.bytes)
        }
    }

    @Test("A body that is too long is refused as soon as its header is there (BTP-031)")
    func refusedByHeader() {
        #expect(throws: ProtocolFault.bodyTooLong(bytes: 0xFFFF)) {
            try parse([0x20, 1, 0xFF, 0xFF], limit: 4104)
        }
    }

    @Test("An unknown type is skipped from 0x80 on, and a fault below (BTP-032)")
    func unknownTypes() throws {
        #expect(try Message.decode(type: 0x80, body: [UInt8]().span.bytes) == nil)
        #expect(try Message.decode(type: 0xFF, body: [1, 2, 3].span.bytes) == nil)
        for type: UInt8 in [0x00, 0x07, 0x1A, 0x22, 0x46, 0x7F] {
            #expect(throws: ProtocolFault.unknownFrame(type: type)) {
                try Message.decode(type: type, body: [UInt8]().span.bytes)
            }
        }
    }
}

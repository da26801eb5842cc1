import BargeProtocol
import Testing

@Suite("Messages on the wire")
struct MessageCodingTests {
    struct Sample: Sendable, CustomTestStringConvertible {
        let title: String
        let message: Message
        let frame: [UInt8]
        var payload: [UInt8] = []
        var tag: UInt8 = 9
        var testDescription: String { title }
    }

    private static let abc = Digest(bytes: bytes(hex: FrameVectors.abcDigest))
    private static let log = ObjectReference(kind: .file, name: Name(text: "b.log"))

    private static let samples: [Sample] = {
        var slots = ImageSlots()
        slots.append(
            ImageSlot(
                index: 0, flags: [.running, .confirmed, .verified], length: 790_000,
                durable: 790_000, digest: abc))
        slots.append(
            ImageSlot(
                index: 1, flags: .partial, length: 800_000, durable: 4096, digest: Digest()))
        let noSpace = ErrorMessage(.noSpace, detail: 123_456, text: Name("full"))
        let busy = BusyReport(activity: .verifying, done: 0x0102_0304_0506_0708, total: .max)
        let file = ObjectReference(kind: .file, name: Name(text: "log-á.txt"))
        let source = ObjectReference(kind: .source, number: 7)
        let entry = FileEntry(size: 5, modifiedSeconds: 1_700_000_000, name: log.name)
        let status = FileStatus(size: 5, modifiedSeconds: 1_700_000_000, digest: abc)
        let write = WriteRequest(
            object: file, length: 0x12_3456_789A, digest: abc, restart: true)
        let flash = WriteRequest(
            object: .firmware, length: 790_000, digest: abc, restart: false)
        let ready = WriteReady(isComplete: false, offset: 8192, prefixCheck: 0xCBF4_3926)
        let complete = WriteReady(isComplete: true, offset: 3, prefixCheck: 0x3524_41C2)
        let read = ReadRequest(object: source, offset: 0, length: ProtocolLimits.wholeLength)
        return [
            sample("ERROR", .error(noSpace), FrameVectors.error),
            sample("FIN", .fin, FrameVectors.fin, tag: 0),
            sample("BUSY", .busy(busy), FrameVectors.busy),
            sample("ECHO", .echo(byteCount: 4), FrameVectors.echo, payload: "ping"),
            sample("ECHOED", .echoed(byteCount: 4), FrameVectors.echoed, payload: "ping"),
            sample("WRITE of a file", .write(write), FrameVectors.write),
            sample("WRITE of firmware", .write(flash), FrameVectors.writeFirmware),
            sample("WRITE_READY", .writeReady(ready), FrameVectors.writeReady),
            sample("WRITE_READY, all", .writeReady(complete), FrameVectors.writeReadyComplete),
            sample("COMMIT", .commit, FrameVectors.commit),
            sample(
                "COMMITTED", .committed(Committed(digest: abc, microseconds: 1_234_567)),
                FrameVectors.committed),
            sample("READ", .read(read), FrameVectors.read),
            sample(
                "READ_READY",
                .readReady(ReadReady(size: 1000, offset: 3, prefixCheck: 0x3524_41C2)),
                FrameVectors.readReady),
            sample("READ_END", .readEnd(ReadEnd(end: 3, digest: abc)), FrameVectors.readEnd),
            sample(
                "ACK", .acknowledge(offset: 0xFFFF_FFFF_FFFF), FrameVectors.acknowledge),
            sample("CANCEL", .cancel, FrameVectors.cancel),
            sample("CANCELED", .canceled, FrameVectors.canceled),
            sample(
                "BLOCK, stored", .storedBlock(at: 0x0102_0304_0506, 3),
                FrameVectors.storedBlock, payload: "abc"),
            sample(
                "BLOCK, deflated", .deflatedBlock(at: 4096, 4096, coded: 3),
                FrameVectors.deflatedBlock, payload: "xyz"),
            sample("LIST", .list(after: Name("a")), FrameVectors.list),
            sample("ENTRY", .entry(entry), FrameVectors.entry),
            sample("LISTED", .listed(more: true), FrameVectors.listed),
            sample("STAT", .stat(log), FrameVectors.stat),
            sample("STATED", .stated(status), FrameVectors.stated),
            sample("REMOVE", .remove(log), FrameVectors.remove),
            sample("REMOVED", .removed, FrameVectors.removed),
            sample("IMAGES", .images, FrameVectors.images),
            sample("IMAGE_STATES", .imageStates(slots), FrameVectors.imageStates),
            sample("TEST", .test(abc), FrameVectors.test),
            sample("CONFIRM", .confirm(abc), FrameVectors.confirm),
            sample("RESET", .reset, FrameVectors.reset),
            sample("RESETTING", .resetting(milliseconds: 1500), FrameVectors.resetting),
        ]
    }()

    private static func sample(
        _ title: String, _ message: Message, _ hex: String, payload: String = "", tag: UInt8 = 9
    ) -> Sample {
        Sample(
            title: title, message: message, frame: bytes(hex: hex), payload: Array(payload.utf8),
            tag: tag)
    }

    @Test("A message encodes to the bytes that the document draws", arguments: samples)
    func encodes(_ sample: Sample) {
        #expect(sample.message.frame(tag: sample.tag, payload: sample.payload) == sample.frame)
        #expect(sample.message.frameBytes == sample.frame.count)
    }

    @Test("The bytes that the document draws decode to the message", arguments: samples)
    func decodes(_ sample: Sample) throws {
        let read = try #require(try ReadFrame(sample.frame))
        #expect(read.tag == sample.tag)
        #expect(read.message == sample.message)
    }

    @Test("A body that is a byte short is malformed, whatever the type (BTP-033)")
    func shortBodies() throws {
        for sample in Self.samples {
            // A block's and an ECHO's bytes have no length of their own.
            let drawn = sample.message.bodyBytes - sample.payload.count
            let body = Array(sample.frame[4..<4 + drawn])
            for count in 0..<drawn {
                #expect(throws: ProtocolFault.malformed, "\(sample.title), \(count) bytes") {
                    try decode(sample.message.type, Array(body[..<count]))
                }
            }
        }
    }

    @Test("Bytes beyond what is drawn are ignored (BTP-033)")
    func longBodies() throws {
        for sample in Self.samples where sample.payload.isEmpty {
            let body = Array(sample.frame[4..<sample.frame.count - 4])
            #expect(
                try decode(sample.message.type, body + [1, 2, 3]) == sample.message,
                "\(sample.title)")
        }
    }

    @Test("A number that stands for nothing that is drawn is malformed (BTP-036)")
    func unknownNumbers() throws {
        let eight = [UInt8](repeating: 0, count: 8)
        let bodies: [(FrameType, [UInt8])] = [
            (.busy, [0] + eight + eight), (.busy, [4] + eight + eight),
            (.writeReady, [2] + eight + [0, 0, 0, 0]),
            (.listed, [2]), (.listed, [0xFF]),
            (.stat, [0, 0, 0]), (.stat, [5, 0, 0]),
            (.error, [0, 1, 0, 1] + eight + [0]), (.error, [4, 1, 0, 1] + eight + [0]),
            (.error, [1, 1, 0, 0] + eight + [0]), (.error, [1, 1, 0, 5] + eight + [0]),
        ]
        for (type, body) in bodies {
            #expect(throws: ProtocolFault.malformed, "\(type), \(body[0])") {
                try decode(type, body)
            }
        }
    }

    @Test("Flag bits that are not drawn are not looked at (BTP-036)")
    func unknownFlags() throws {
        var write = Array(bytes(hex: FrameVectors.writeFirmware).dropFirst(4).dropLast(4))
        write[write.count - 1] = 0xFE
        guard case .write(let request) = try decode(.write, write) else {
            Issue.record("no WRITE")
            return
        }
        #expect(!request.restart)
    }

    @Test("IMAGE_STATES holds four slots and no fifth (BTP-090)")
    func slotCount() throws {
        let slot = [UInt8](repeating: 0, count: 50)
        let four = [4] + slot + slot + slot + slot
        guard case .imageStates(let slots) = try decode(.imageStates, four) else {
            Issue.record("four slots are refused")
            return
        }
        #expect(slots.count == 4)
        #expect(throws: ProtocolFault.malformed) {
            try decode(.imageStates, [5] + four.dropFirst() + slot)
        }
        #expect(throws: ProtocolFault.malformed, "two announced, one there") {
            try decode(.imageStates, [2] + slot)
        }
    }

    @Test("Names of 0 and 255 bytes travel whole (BTP-080)")
    func nameLengths() throws {
        for count in [0, 1, 255] {
            let name = [UInt8](repeating: 0x61, count: count)
            let body = [2, 0, UInt8(count)] + name
            let object = ObjectReference(kind: .file, name: Name(bytes: name))
            #expect(try decode(.stat, body) == .stat(object))
            #expect(Array(Message.stat(object).frame(tag: 1)[4...].dropLast(4)) == body)
        }
        #expect(Name([UInt8](repeating: 0x61, count: 256).span.bytes) == nil)
    }

    @Test("A text of 120 bytes is taken, of 121 it is malformed (BTP-101)")
    func textLength() throws {
        let head: [UInt8] = [1, 17, 0, 4] + [UInt8](repeating: 0, count: 8)
        func body(_ count: Int) -> [UInt8] {
            head + [UInt8(count)] + [UInt8](repeating: 0x78, count: count)
        }
        guard case .error(let error) = try decode(.error, body(120)) else {
            Issue.record("120 bytes are refused")
            return
        }
        #expect(error.text.byteCount == 120)
        #expect(throws: ProtocolFault.malformed) { try decode(.error, body(121)) }
    }

    @Test("The longest fixed body fits the shortest longest body")
    func everyBodyFits() {
        let longest = Name(bytes: [UInt8](repeating: 0x61, count: 255))
        let object = ObjectReference(kind: .file, name: longest)
        let write = WriteRequest(object: object, length: 1, digest: Digest(), restart: false)
        let entry = FileEntry(size: 1, modifiedSeconds: 1, name: longest)
        // 3 + 255 + 8 + 32 + 1 and 8 + 8 + 1 + 1 + 255, by the document's drawings.
        #expect(Message.write(write).bodyBytes == 299)
        #expect(Message.entry(entry).bodyBytes == 273)
        #expect(ProtocolLimits.bodyBytes.lowerBound >= 299)
    }
}

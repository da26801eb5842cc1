import BargeProtocol
import Testing

/// Watches the frames that both sides send and says what breaks the document. It reads them byte by
/// byte and shares no code with the machines.
struct Referee {
    private let blockBytes: UInt64
    private let windowBytes: [End: UInt64]
    private var frames: [End: Int] = [:]
    private var saidFIN: Set<End> = []
    private var openTag: UInt8 = 0
    private var lastTag: UInt8 = 0
    private var expectedOffset: UInt64?
    private var acknowledged: UInt64 = 0
    private var end: UInt64 = 0
    private(set) var blockCount = 0

    /// Terms, typed anew from both HELLOs: the smaller block, and each receiver's window.
    init(blockBytes: UInt64, hostWindow: UInt64, deviceWindow: UInt64) {
        self.blockBytes = blockBytes
        windowBytes = [.host: hostWindow, .device: deviceWindow]
    }

    mutating func saw(_ frame: [UInt8], from sender: End) {
        let type = frame[0]
        let tag = frame[1]
        let body = Array(frame[4..<frame.count - 4])
        #expect(integer(frame, 2..<4) == UInt64(body.count))
        #expect(!saidFIN.contains(sender), "BTP-048: nothing follows FIN")
        if frames[sender, default: 0] == 0 {
            #expect(type == 0x01 && tag == 0, "BTP-040: HELLO is first")
            #expect(body.count <= 255, "BTP-031")
        } else {
            #expect(type != 0x01, "BTP-040: HELLO is said once")
            check(type, tag, body, from: sender)
        }
        frames[sender, default: 0] += 1
    }

    private mutating func check(_ type: UInt8, _ tag: UInt8, _ body: [UInt8], from sender: End) {
        switch type {
        case 0x03:
            #expect(tag == 0, "BTP-034")
            #expect(sender == .host || saidFIN.contains(.host), "BTP-048: only as an answer")
            saidFIN.insert(sender)
        case 0x05, 0x10, 0x14, 0x30, 0x33, 0x35, 0x40, 0x42...0x44:
            #expect(sender == .host && openTag == 0, "BTP-035: one request at a time")
            #expect(tag != 0 && tag != lastTag, "BTP-034")
            openTag = tag
            lastTag = tag
            if type == 0x10 {
                let at = 3 + Int(body[2])
                end = integer(body, at..<at + 8)
            }
        case 0x12, 0x18: #expect(sender == .host && tag == openTag, "BTP-034")
        case 0x17: checkAcknowledgement(integer(body, 0..<8), tag)
        case 0x20, 0x21: checkBlock(type, tag, body, from: sender)
        default: checkAnswer(type, tag, body, from: sender)
        }
    }

    private mutating func checkAcknowledgement(_ offset: UInt64, _ tag: UInt8) {
        #expect(tag == openTag || tag == lastTag, "BTP-034; a last ACK may come late (BTP-072)")
        guard let expectedOffset, tag == openTag else { return }
        #expect(offset >= acknowledged, "BTP-063: ACKs never fall")
        #expect(offset <= expectedOffset, "BTP-058")
        acknowledged = offset
    }

    private mutating func checkBlock(_ type: UInt8, _ tag: UInt8, _ body: [UInt8], from sender: End)
    {
        blockCount += 1
        let offset = integer(body, 0..<6)
        let rawBytes = integer(body, 6..<8)
        #expect(tag == openTag, "BTP-034")
        #expect(offset == expectedOffset, "BTP-054")
        #expect(rawBytes == min(blockBytes, end - offset), "BTP-050, BTP-054")
        #expect(type == 0x21 || body.count - 8 == Int(rawBytes), "BTP-050")
        let window = windowBytes[sender.other] ?? 0
        #expect(offset + rawBytes - acknowledged <= window, "BTP-055")
        expectedOffset = offset + rawBytes
    }

    private mutating func checkAnswer(
        _ type: UInt8, _ tag: UInt8, _ body: [UInt8], from sender: End
    ) {
        #expect(sender == .device && tag == openTag && tag != 0, "BTP-034: \(type)")
        switch type {
        case 0x11 where body[0] == 0: start(at: integer(body, 1..<9))
        case 0x15:
            end = integer(body, 0..<8)
            start(at: integer(body, 8..<16))
        case 0x04, 0x31: break
        default:
            openTag = 0
            expectedOffset = nil
        }
    }

    private mutating func start(at offset: UInt64) {
        expectedOffset = offset
        acknowledged = offset
    }
}

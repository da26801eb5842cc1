import BargeProtocol
import Testing

@Suite("The host's half: transfers and lists")
struct HostTransferTests {
    private let digest = Digest(repeating: 7)

    @Test("Blocks go from the READY's offset, the last one shorter (BTP-054, BTP-061)")
    func blocks() {
        var host = HostSession.writing(length: 700, from: 100)
        var plans: [[Int]] = []
        while let plan = host.nextBlock() { plans.append([Int(plan.offset), plan.rawBytes]) }
        #expect(plans == [[100, 256], [356, 256], [612, 88]])
        #expect(host.durableOffset == 100 && !host.canCommit)
    }

    @Test("The device's window is filled to the byte, and ACK opens it again (BTP-055)")
    func window() {
        var host = HostSession.writing(length: 2000)
        var sent: [UInt64] = []
        while let plan = host.nextBlock() { sent.append(plan.offset) }
        #expect(sent == [0, 256, 512])
        #expect(host.handle(tag: 1, message: .acknowledge(offset: 255)) == .durable(255))
        #expect(host.nextBlock() == nil, "one byte is missing")
        #expect(host.handle(tag: 1, message: .acknowledge(offset: 256)) == .durable(256))
        #expect(host.nextBlock()?.offset == 768)
        #expect(host.nextBlock() == nil)
    }

    @Test("An ACK that does not rise is ignored; one beyond what was sent is a fault (BTP-058)")
    func acknowledgements() {
        var host = HostSession.writing(length: 2000)
        while host.nextBlock() != nil {}
        #expect(host.handle(tag: 1, message: .acknowledge(offset: 512)) == .durable(512))
        for offset: UInt64 in [512, 511, 0] {
            #expect(host.handle(tag: 1, message: .acknowledge(offset: offset)) == .none)
            #expect(host.durableOffset == 512)
        }
        #expect(host.isViolated(.malformed, by: .acknowledge(offset: 769)))
        #expect(host.handle(tag: 1, message: .acknowledge(offset: 768)) == .durable(768))
    }

    @Test("COMMIT waits for the last byte to be durable (BTP-065)")
    func commit() {
        var host = HostSession.writing(length: 300)
        while host.nextBlock() != nil {}
        _ = host.handle(tag: 1, message: .acknowledge(offset: 299))
        #expect(!host.canCommit)
        _ = host.handle(tag: 1, message: .acknowledge(offset: 300))
        #expect(host.canCommit)
        #expect(host.commit() == .commit)
        #expect(host.openTag == 1 && !host.canCommit)
        #expect(host.handle(tag: 1, message: .acknowledge(offset: 300)) == .none)
        let answer = Message.committed(Committed(digest: digest, microseconds: 1))
        #expect(host.handle(tag: 1, message: answer) == .answered(answer))
        #expect(host.isIdle)
    }

    @Test("What the device holds already, and nothing at all, is committed at once (BTP-068)")
    func nothingToSend() {
        for host in [HostSession.writing(length: 0), .writing(length: 300, from: 300)] {
            var host = host
            #expect(host.canCommit)
            #expect(host.nextBlock() == nil)
        }
    }

    @Test("COMMITTED with another digest is the device's fault, but for a sink (BTP-065)")
    func otherDigest() {
        let wrong = Message.committed(Committed(digest: Digest(repeating: 8), microseconds: 1))
        var host = HostSession.writing(length: 0)
        _ = host.commit()
        #expect(host.isViolated(.malformed, by: wrong))
        _ = host.cancel()
        #expect(host.isViolated(.malformed, by: wrong), "also where it crosses CANCEL")
        var bench = HostSession.greeted()
        let sink = WriteRequest(
            object: ObjectReference(kind: .sink), length: 0, digest: Digest(), restart: false)
        _ = bench.begin(.write(sink))
        _ = bench.handle(tag: 1, message: .writeReady())
        _ = bench.commit()
        #expect(bench.handle(tag: 1, message: wrong) == .answered(wrong), "BTP-085")
    }

    @Test("A READY beyond the length is the device's fault (BTP-060)")
    func readyBeyondLength() {
        var host = HostSession.greeted()
        _ = host.begin(.write(length: 300))
        #expect(host.isViolated(.malformed, by: .writeReady(offset: 301)))
        #expect(host.isViolated(.malformed, by: .writeReady(offset: 301, isComplete: true)))
        #expect(!host.isViolated(.malformed, by: .writeReady(offset: 300)))
    }

    @Test("READ_READY has the offset that was asked for, at most the size (BTP-070)")
    func readReady() {
        var host = HostSession.greeted()
        _ = host.begin(.read(offset: 300))
        #expect(host.isViolated(.malformed, by: .readReady(size: 900, offset: 299)))
        #expect(host.isViolated(.malformed, by: .readReady(size: 299, offset: 300)))
        #expect(!host.isViolated(.malformed, by: .readReady(size: 300, offset: 300)))
    }

    @Test("Blocks of a read are held against offset, length and window (BTP-050 to BTP-057)")
    func readBlocks() {
        var host = HostSession.reading(size: 1100, offset: 300)
        let wrong: [Message] = [
            .storedBlock(at: 299, 256), .storedBlock(at: 301, 256), .storedBlock(at: 300, 255),
            .storedBlock(at: 300, 257), .storedBlock(at: 300, 0), .storedBlock(at: 0, 256),
            .deflatedBlock(at: 300, 256, coded: 0), .deflatedBlock(at: 300, 256, coded: 256),
        ]
        for block in wrong { #expect(host.isViolated(.malformed, by: block)) }
        for offset: UInt64 in [300, 556, 812] {
            guard case .store = host.handle(tag: 1, message: .storedBlock(at: offset, 256)) else {
                Issue.record("the block at \(offset) is refused")
                return
            }
        }
        #expect(host.isViolated(.malformed, by: .storedBlock(at: 1068, 32)), "no window left")
        #expect(host.stored(upTo: 812) == .acknowledge(offset: 812))
        #expect(host.isViolated(.malformed, by: .storedBlock(at: 1068, 33)))
        guard case .store = host.handle(tag: 1, message: .storedBlock(at: 1068, 32)) else {
            Issue.record("the last block is refused")
            return
        }
        #expect(host.isViolated(.malformed, by: .storedBlock(at: 1100, 1)), "behind the end")
    }

    @Test("Deflated blocks are a fault where stored ones were agreed on (BTP-045)")
    func deflatedUnasked() {
        var host = HostSession.greeted(.testing(windowBits: nil))
        _ = host.begin(.read())
        _ = host.handle(tag: 1, message: .readReady(size: 256))
        #expect(host.isViolated(.malformed, by: .deflatedBlock(at: 0, 256, coded: 9)))
    }

    @Test("ACK comes when half of the window is written, and at the end (BTP-072)")
    func readAcknowledgements() {
        var host = HostSession.reading(size: 600)
        for (offset, rawBytes) in [(0, 256), (256, 256), (512, 88)] as [(UInt64, Int)] {
            _ = host.handle(tag: 1, message: .storedBlock(at: offset, rawBytes))
        }
        #expect(host.stored(upTo: 0) == nil)
        #expect(host.stored(upTo: 383) == nil)
        #expect(host.stored(upTo: 384) == .acknowledge(offset: 384))
        #expect(host.stored(upTo: 384) == nil)
        #expect(host.stored(upTo: 100) == nil, "an earlier report does no harm")
        #expect(host.stored(upTo: 599) == nil)
        #expect(host.stored(upTo: 600) == .acknowledge(offset: 600))
        #expect(host.stored(upTo: 600) == nil)
    }

    @Test("READ_END comes at the end that was asked for, and not before (BTP-070, BTP-073)")
    func readEnd() {
        var host = HostSession.greeted()
        _ = host.begin(.read(offset: 100, length: 50))
        _ = host.handle(tag: 1, message: .readReady(size: 900, offset: 100))
        let end = Message.readEnd(ReadEnd(end: 150, digest: digest))
        #expect(host.isViolated(.malformed, by: end), "a block is missing")
        _ = host.handle(tag: 1, message: .storedBlock(at: 100, 50))
        #expect(
            host.isViolated(.malformed, by: .readEnd(ReadEnd(end: 151, digest: digest))))
        #expect(host.handle(tag: 1, message: end) == .answered(end))
        #expect(host.isIdle)
        #expect(host.stored(upTo: 150) == nil, "the last ACK is not needed any more")
    }

    @Test("A size near 2⁶⁴ and a length that means all do not wrap (BTP-070)")
    func hugeSize() {
        var host = HostSession.greeted()
        _ = host.begin(.read(offset: 10))
        let ready = Message.readReady(size: .max, offset: 10)
        #expect(host.handle(tag: 1, message: ready) == .answered(ready))
        #expect(host.isViolated(.malformed, by: .storedBlock(at: 10, 10)))
    }

    @Test("Entries rise from the name that was asked for (BTP-081)")
    func listOrder() {
        var host = HostSession.greeted()
        _ = host.begin(.list(after: Name(text: "b")))
        for name in ["a", "b", "B", "", "."] {
            #expect(host.isViolated(.malformed, by: .entry(name)), "\(name)")
        }
        for name in ["ba", "bb", "c", "é"] {
            #expect(host.handle(tag: 1, message: .entry(name)) == .answered(.entry(name)))
            #expect(host.isViolated(.malformed, by: .entry(name)), "\(name) twice")
        }
        let listed = Message.listed(more: true)
        #expect(host.handle(tag: 1, message: listed) == .answered(listed))
    }

    @Test("Names that lead out of the directory end the session (BTP-080, BTP-081)")
    func hostileNames() {
        var host = HostSession.greeted()
        _ = host.begin(.list(after: Name()))
        for name in ["..", "../x", "/etc/passwd", "a/b", "a\u{0}", "\u{1B}[2J"] {
            #expect(host.isViolated(.malformed, by: .entry(name)), "\(name)")
        }
    }

    @Test("32 entries are a list, the 33rd is a fault (BTP-081)")
    func listLength() {
        var host = HostSession.greeted()
        _ = host.begin(.list(after: Name()))
        for index in 0..<32 {
            let entry = Message.entry("file-\(index + 10)")
            #expect(host.handle(tag: 1, message: entry) == .answered(entry))
        }
        #expect(host.isViolated(.malformed, by: .entry("file-99")))
        #expect(!host.isViolated(.malformed, by: .listed(more: true)))
    }

    @Test("More without any entry would never end, so it is a fault (BTP-081)")
    func endlessList() {
        var host = HostSession.greeted()
        _ = host.begin(.list(after: Name()))
        #expect(host.isViolated(.malformed, by: .listed(more: true)))
        #expect(!host.isViolated(.malformed, by: .listed(more: false)))
    }
}

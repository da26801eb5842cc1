import BargeProtocol
import Testing

@Suite("The device's half: writes")
struct DeviceWriteTests {
    private func refusal(_ code: ErrorCode, detail: UInt64 = 0) -> DeviceStep {
        .refuse(tag: 1, ErrorMessage(code, detail: detail))
    }

    @Test("WRITE_READY carries what the device holds, at most the length (BTP-060)")
    func ready() {
        for offset: UInt64 in [0, 1, 255, 600] {
            var device = DeviceSession.greeted()
            guard case .openWrite = device.handle(tag: 1, message: .write(length: 600)) else {
                Issue.record("WRITE is not opened")
                return
            }
            let ready = device.writeOpened(offset: offset, prefixCheck: 5, isComplete: false)
            #expect(
                ready
                    == .writeReady(WriteReady(isComplete: false, offset: offset, prefixCheck: 5)))
            #expect(device.openTag == 1)
        }
    }

    @Test("The restart flag reaches the driver, and 0 is the answer (BTP-061)")
    func restart() {
        let request = WriteRequest(
            object: .firmware, length: 9, digest: Digest(repeating: 1), restart: true)
        var device = DeviceSession.greeted()
        #expect(device.handle(tag: 1, message: .write(request)) == .openWrite(request))
        #expect(
            device.writeOpened(offset: 0, prefixCheck: 0, isComplete: false) == .writeReady())
    }

    @Test("State `complete` ends the request (BTP-062)")
    func complete() {
        var device = DeviceSession.greeted()
        _ = device.handle(tag: 1, message: .write(length: 600))
        let ready = device.writeOpened(offset: 600, prefixCheck: 0, isComplete: true)
        #expect(ready == .writeReady(offset: 600, isComplete: true))
        #expect(device.openTag == 0 && device.replyTag == 1)
        #expect(device.handle(tag: 1, message: .storedBlock(at: 0, 256)) == .none)
    }

    @Test("Blocks come in order from the READY's offset, the last one shorter (BTP-054)")
    func order() {
        var device = DeviceSession.writing(length: 1000, from: 300)
        for (offset, rawBytes) in [(300, 256), (556, 256), (812, 188)] as [(UInt64, Int)] {
            let block = Message.storedBlock(at: offset, rawBytes)
            guard case .store(let header) = device.handle(tag: 1, message: block) else {
                Issue.record("the block at \(offset) is refused")
                return
            }
            #expect(header.offset == offset && header.rawBytes == rawBytes)
            _ = device.blockStored()
        }
        #expect(device.handle(tag: 1, message: .commit) == .commit)
    }

    @Test("Another offset, below or above, is badOffset with the right one (BTP-054)")
    func offsets() {
        for wrong: UInt64 in [0, 299, 301, 556, 0xFFFF_FFFF_FFFF] {
            var device = DeviceSession.writing(length: 1000, from: 300)
            let block = Message.storedBlock(at: wrong, 256)
            #expect(device.handle(tag: 1, message: block) == refusal(.badOffset, detail: 300))
            #expect(device.openTag == 0, "the request is over")
            #expect(!device.isOver, "the session is not")
        }
    }

    @Test("A raw length other than the block size is badBlock, and so is 0 (BTP-050, BTP-054)")
    func rawLengths() {
        for wrong in [0, 1, 255, 257, 512, 65_535] {
            var device = DeviceSession.writing(length: 1000)
            let block = Message.storedBlock(at: 0, wrong)
            #expect(device.handle(tag: 1, message: block) == refusal(.badBlock), "\(wrong)")
        }
    }

    @Test("The last block has what is left, not a byte less or more (BTP-050, BTP-054)")
    func lastBlock() {
        for (rawBytes, isTaken) in [(43, false), (44, true), (45, false), (256, false)] {
            var device = DeviceSession.writing(length: 300, from: 256)
            let block = Message.storedBlock(at: 256, rawBytes)
            guard case .store = device.handle(tag: 1, message: block) else {
                #expect(!isTaken, "\(rawBytes) bytes")
                continue
            }
            #expect(isTaken, "\(rawBytes) bytes")
        }
    }

    @Test("A block behind the end is badBlock (BTP-050)")
    func behindTheEnd() {
        var device = DeviceSession.writing(length: 256, from: 256)
        #expect(
            device.handle(tag: 1, message: .storedBlock(at: 256, 1)) == refusal(.badBlock))
    }

    @Test("A stored block has exactly its raw length of bytes (BTP-050)")
    func storedLength() {
        for coded in [0, 255, 257] {
            let header = BlockHeader(coding: .stored, offset: 0, rawBytes: 256, codedBytes: coded)
            var device = DeviceSession.writing(length: 256)
            #expect(device.handle(tag: 1, message: .block(header)) == refusal(.badBlock))
        }
    }

    @Test("A deflated block has 1 to 255 bytes for 256 raw ones (BTP-052)")
    func deflatedLength() {
        for (coded, isTaken) in [(0, false), (1, true), (255, true), (256, false)] {
            let block = Message.deflatedBlock(at: 0, 256, coded: coded)
            var device = DeviceSession.writing(length: 256)
            guard case .store = device.handle(tag: 1, message: block) else {
                #expect(!isTaken, "\(coded) bytes")
                continue
            }
            #expect(isTaken, "\(coded) bytes")
        }
    }

    @Test("A deflated block is badBlock where stored ones were agreed on (BTP-045)")
    func deflatedUnasked() {
        var device = DeviceSession.writing(length: 256, hello: .testing(windowBits: nil))
        let block = Message.deflatedBlock(at: 0, 256, coded: 9)
        #expect(device.handle(tag: 1, message: block) == refusal(.badBlock))
    }

    @Test("A block that does not inflate is refused by the driver, with resume (BTP-053)")
    func inflateFails() {
        var device = DeviceSession.writing(length: 600)
        let block = Message.deflatedBlock(at: 0, 256, coded: 9)
        _ = device.handle(tag: 1, message: block)
        let error = ErrorMessage(.badBlock)
        #expect(device.refuse(error) == .error(error))
        #expect(error.scope == .request && error.advice == .resume)
        #expect(device.openTag == 0)
    }

    @Test("The window is filled to the byte, and a block beyond is windowExceeded (BTP-055)")
    func window() {
        for (windowBytes, blocks) in [(768, 3), (1023, 3), (1024, 4)] as [(UInt32, UInt64)] {
            let hello = Hello.testing(windowBytes: windowBytes)
            var device = DeviceSession.writing(length: 9999, hello: hello)
            for index in 0..<blocks {
                let block = Message.storedBlock(at: index * 256, 256)
                guard case .store = device.handle(tag: 1, message: block) else {
                    Issue.record("block \(index) of \(blocks) is refused")
                    return
                }
            }
            let block = Message.storedBlock(at: blocks * 256, 256)
            let expected = refusal(.windowExceeded, detail: UInt64(windowBytes))
            #expect(device.handle(tag: 1, message: block) == expected)
        }
    }

    @Test("ACK comes when half of the window is durable, and when everything is (BTP-063)")
    func acknowledgements() {
        // Window 768: half of it is 384, which two blocks of 256 reach.
        var device = DeviceSession.writing(length: 1124)
        let expected: [(UInt64, Int, Message?)] = [
            (0, 256, nil), (256, 256, .acknowledge(offset: 512)), (512, 256, nil),
            (768, 256, .acknowledge(offset: 1024)), (1024, 100, .acknowledge(offset: 1124)),
        ]
        for (offset, rawBytes, acknowledgement) in expected {
            _ = device.handle(tag: 1, message: .storedBlock(at: offset, rawBytes))
            #expect(device.blockStored() == acknowledgement, "the block at \(offset)")
        }
        #expect(device.fellIdle() == nil, "there is nothing left to say")
    }

    @Test("A device that falls idle acknowledges what is durable, once (BTP-063)")
    func idle() {
        var device = DeviceSession.writing(length: 2000)
        #expect(device.fellIdle() == nil)
        _ = device.handle(tag: 1, message: .storedBlock(at: 0, 256))
        #expect(device.fellIdle() == nil, "received is not durable")
        #expect(device.blockStored() == nil)
        #expect(device.fellIdle() == .acknowledge(offset: 256))
        #expect(device.fellIdle() == nil)
    }

    @Test("Blocks that are stored together are acknowledged together (BTP-063)")
    func gathered() {
        var device = DeviceSession.writing(length: 2000)
        for offset: UInt64 in [0, 256, 512] {
            _ = device.handle(tag: 1, message: .storedBlock(at: offset, 256))
        }
        #expect(device.blockStored() == .acknowledge(offset: 768))
    }

    @Test("No window and block size that agree can make both sides wait (BTP-063)")
    func noDeadlock() {
        for windowBytes: UInt32 in [256, 257, 383, 384, 511, 512, 513, 767, 768, 1000, 5000] {
            let hello = Hello.testing(windowBytes: windowBytes)
            var device = DeviceSession.writing(length: 3000, hello: hello)
            var host = HostSession.greeted(peer: hello)
            _ = host.begin(.write(length: 3000))
            _ = host.handle(tag: 1, message: .writeReady())
            // Without a word when idle: the rule of half the window must be enough.
            while let plan = host.nextBlock() {
                _ = device.handle(tag: 1, message: .storedBlock(at: plan.offset, plan.rawBytes))
                guard let acknowledgement = device.blockStored() else { continue }
                _ = host.handle(tag: 1, message: acknowledgement)
            }
            #expect(host.canCommit, "a window of \(windowBytes) bytes")
        }
    }

    @Test("COMMIT before everything is durable ends the request alone (BTP-065)")
    func earlyCommit() {
        var device = DeviceSession.writing(length: 300)
        _ = device.handle(tag: 1, message: .storedBlock(at: 0, 256))
        _ = device.blockStored()
        _ = device.handle(tag: 1, message: .storedBlock(at: 256, 44))
        let error = ErrorMessage(.unexpectedFrame, scope: .request)
        #expect(device.handle(tag: 1, message: .commit) == .refuse(tag: 1, error))
        #expect(!device.isOver && device.openTag == 0)
    }

    @Test("COMMITTED, or digestMismatch with restart, ends the request (BTP-065)")
    func commit() {
        let committed = Committed(digest: Digest(repeating: 7), microseconds: 5)
        var device = DeviceSession.writing(length: 300, from: 300)
        #expect(device.handle(tag: 1, message: .commit) == .commit)
        var other = device
        #expect(device.committed(committed) == .committed(committed))
        #expect(device.openTag == 0)
        let error = ErrorMessage(.digestMismatch)
        #expect(other.refuse(error) == .error(error))
        #expect(error.advice == .restart && error.scope == .request && other.openTag == 0)
    }

    @Test("An object of no bytes is committed at once (BTP-068)")
    func empty() {
        var device = DeviceSession.writing(length: 0)
        #expect(device.handle(tag: 1, message: .commit) == .commit)
    }

    @Test("CANCEL within a write and within its verification is answered (BTP-067)")
    func cancel() {
        var device = DeviceSession.writing(length: 300, from: 300)
        var verifying = device
        #expect(device.handle(tag: 1, message: .cancel) == .cancel(tag: 1))
        _ = verifying.handle(tag: 1, message: .commit)
        #expect(verifying.handle(tag: 1, message: .cancel) == .cancel(tag: 1))
    }

    @Test("No room is refused at WRITE with the room as detail (BTP-069)")
    func noSpace() {
        var device = DeviceSession.greeted()
        _ = device.handle(tag: 1, message: .write(length: 600))
        let error = ErrorMessage(.noSpace, detail: 599)
        #expect(device.refuse(error) == .error(error))
        #expect(device.handle(tag: 1, message: .storedBlock(at: 0, 256)) == .none)
    }

    @Test("2⁴⁸−1 bytes are an object, one more is noSpace (BTP-056)")
    func longest() {
        let most: UInt64 = 0xFFFF_FFFF_FFFF
        var device = DeviceSession.greeted()
        let refused = device.handle(tag: 1, message: .write(length: most + 1))
        #expect(refused == refusal(.noSpace, detail: most))
        guard case .openWrite = device.handle(tag: 2, message: .write(length: most)) else {
            Issue.record("2⁴⁸−1 bytes are refused")
            return
        }
        // The last block of all still has an offset that fits 48 bits.
        _ = device.writeOpened(offset: most - 255, prefixCheck: 0, isComplete: false)
        let last = Message.storedBlock(at: most - 255, 255)
        guard case .store(let header) = device.handle(tag: 2, message: last) else {
            Issue.record("the last block is refused")
            return
        }
        #expect(header.end == most)
        #expect(device.blockStored() == .acknowledge(offset: most))
    }
}

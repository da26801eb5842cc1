import BargeProtocol
import Testing

@Suite("The device's half: reads")
struct DeviceReadTests {
    @Test("Blocks go from the offset to the end, then the digest is due once (BTP-070, BTP-073)")
    func wholeRead() {
        var device = DeviceSession.reading(size: 700, offset: 100)
        #expect(device.nextBlock() == .send(offset: 100, rawBytes: 256))
        #expect(device.nextBlock() == .send(offset: 356, rawBytes: 256))
        #expect(device.nextBlock() == .send(offset: 612, rawBytes: 88))
        #expect(device.nextBlock() == .end(700))
        #expect(device.nextBlock() == .none)
        let digest = Digest(repeating: 3)
        #expect(device.readEnded(digest: digest) == .readEnd(ReadEnd(end: 700, digest: digest)))
        #expect(device.openTag == 0)
        #expect(device.nextBlock() == .none)
    }

    @Test("The end is the smaller one of size and offset + length, without a wrap (BTP-070)")
    func end() {
        let cases: [(offset: UInt64, length: UInt64, end: UInt64)] = [
            (0, .max, 700), (100, .max, 700), (100, .max - 99, 700), (700, .max, 700),
            (0, 700, 700), (0, 699, 699), (0, 701, 700), (100, 600, 700), (100, 599, 699),
            (0, 0, 0), (300, 0, 300),
        ]
        for (offset, length, end) in cases {
            var device = DeviceSession.greeted()
            _ = device.handle(tag: 1, message: .read(offset: offset, length: length))
            let ready = device.readOpened(size: 700, prefixCheck: 9)
            #expect(
                ready == .readReady(ReadReady(size: 700, offset: offset, prefixCheck: 9)))
            var sent = offset
            var step = device.nextBlock()
            while case .send(let at, let rawBytes) = step {
                #expect(at == sent)
                sent += UInt64(rawBytes)
                step = device.nextBlock()
            }
            #expect(step == .end(end) && sent == end, "offset \(offset), length \(length)")
        }
    }

    @Test("An object of no bytes ends at once (BTP-070)")
    func empty() {
        var device = DeviceSession.reading(size: 0)
        #expect(device.nextBlock() == .end(0))
    }

    @Test("An offset at the size is taken, one beyond is badOffset with the size (BTP-071)")
    func offsets() {
        var device = DeviceSession.greeted()
        _ = device.handle(tag: 1, message: .read(offset: 701))
        let error = ErrorMessage(.badOffset, detail: 700)
        #expect(device.readOpened(size: 700, prefixCheck: 0) == .error(error))
        #expect(error.advice == .restart && device.openTag == 0)
        _ = device.handle(tag: 2, message: .read(offset: 700))
        #expect(
            device.readOpened(size: 700, prefixCheck: 0) == .readReady(size: 700, offset: 700))
    }

    @Test("An end that no block can carry is notSupported (BTP-056)")
    func beyond48Bits() {
        let most: UInt64 = 0xFFFF_FFFF_FFFF
        var device = DeviceSession.greeted()
        _ = device.handle(tag: 1, message: .read(offset: most, length: 1))
        let error = ErrorMessage(.notSupported, detail: most)
        #expect(device.readOpened(size: .max, prefixCheck: 0) == .error(error))
        _ = device.handle(tag: 2, message: .read(offset: most, length: 0))
        #expect(device.readOpened(size: .max, prefixCheck: 0).type == .readReady)
        #expect(device.nextBlock() == .end(most))
    }

    @Test("The host's window is filled to the byte and no further (BTP-055)")
    func window() {
        for (windowBytes, blocks) in [(256, 1), (511, 1), (512, 2), (768, 3)] as [(UInt32, Int)] {
            let peer = Hello.testing(windowBytes: windowBytes)
            var device = DeviceSession.reading(size: 9999, peer: peer)
            var sent = 0
            while case .send = device.nextBlock() { sent += 1 }
            #expect(sent == blocks, "a window of \(windowBytes) bytes")
        }
    }

    @Test("ACK opens the window again, and the last one is not awaited (BTP-072)")
    func acknowledgements() {
        var device = DeviceSession.reading(size: 1100)
        for offset: UInt64 in [0, 256, 512] {
            #expect(device.nextBlock() == .send(offset: offset, rawBytes: 256))
        }
        #expect(device.nextBlock() == .none)
        #expect(device.handle(tag: 1, message: .acknowledge(offset: 256)) == .none)
        #expect(device.nextBlock() == .send(offset: 768, rawBytes: 256))
        #expect(device.nextBlock() == .none)
        #expect(device.handle(tag: 1, message: .acknowledge(offset: 768)) == .none)
        #expect(device.nextBlock() == .send(offset: 1024, rawBytes: 76))
        #expect(device.nextBlock() == .end(1100))
    }

    @Test("An ACK that does not rise changes nothing (BTP-058)")
    func lowAcknowledgements() {
        var device = DeviceSession.reading(size: 2000)
        while case .send = device.nextBlock() {}
        _ = device.handle(tag: 1, message: .acknowledge(offset: 512))
        for offset: UInt64 in [512, 511, 0] {
            let before = device
            #expect(device.handle(tag: 1, message: .acknowledge(offset: offset)) == .none)
            #expect(device == before)
        }
    }

    @Test("An ACK of all that was sent passes, one beyond ends the session (BTP-058)")
    func highAcknowledgements() {
        var device = DeviceSession.reading(size: 2000)
        while case .send = device.nextBlock() {}
        let other = device
        #expect(device.handle(tag: 1, message: .acknowledge(offset: 768)) == .none)
        #expect(!device.isOver)
        #expect(other.fails(.malformed, tag: 1, on: .acknowledge(offset: 769)))
    }

    @Test("An object that changed ends the request with restart (BTP-074)")
    func changed() {
        var device = DeviceSession.reading(size: 2000)
        _ = device.nextBlock()
        let error = ErrorMessage(.changed)
        #expect(device.refuse(error) == .error(error))
        #expect(error.advice == .restart && error.scope == .request)
        #expect(device.nextBlock() == .none && device.openTag == 0)
    }

    @Test("CANCEL ends a read within its window, and the next one starts afresh (BTP-067)")
    func cancel() {
        var device = DeviceSession.reading(size: 2000)
        _ = device.nextBlock()
        #expect(device.handle(tag: 1, message: .cancel) == .cancel(tag: 1))
        #expect(device.nextBlock() == .none)
        #expect(device.handle(tag: 1, message: .acknowledge(offset: 256)) == .none)
        _ = device.handle(tag: 2, message: .read(offset: 256))
        _ = device.readOpened(size: 2000, prefixCheck: 0)
        #expect(device.nextBlock() == .send(offset: 256, rawBytes: 256))
    }
}

import BargeProtocol
import Testing

/// Whatever the bytes are: a value or a fault, never a trap.
@Suite("Random bytes (BTP-102)")
struct RandomBytesTests {
    private let vectors = [
        FrameVectors.helloFull, FrameVectors.error, FrameVectors.busy, FrameVectors.write,
        FrameVectors.writeReady, FrameVectors.committed, FrameVectors.read,
        FrameVectors.readReady, FrameVectors.readEnd, FrameVectors.acknowledge,
        FrameVectors.storedBlock, FrameVectors.deflatedBlock, FrameVectors.list,
        FrameVectors.entry, FrameVectors.stat, FrameVectors.stated, FrameVectors.imageStates,
        FrameVectors.test, FrameVectors.resetting,
    ].map(bytes(hex:))

    @Test("Frames with random damage and a check that agrees are read or refused")
    func damagedBodies() throws {
        var random = SplitMix64(seed: 102)
        var device = DeviceSession(hello: .testing())
        var host = HostSession(hello: .testing())
        var refused = 0
        var taken = 0
        for _ in 0..<20_000 {
            guard var body = vectors.randomElement(using: &random) else { return }
            for _ in 0..<Int.random(in: 0...3, using: &random) {
                body[Int.random(in: 0..<body.count, using: &random)] = UInt8(random.next() & 0xFF)
            }
            if Bool.random(using: &random) {
                body.removeLast(Int.random(in: 0...min(9, body.count - 4), using: &random))
            }
            do throws(ProtocolFault) {
                let payload = Array(body[4...])
                guard let message = try Message.decode(type: body[0], body: payload.span.bytes)
                else { continue }
                taken += 1
                if device.isOver { device = .greeted() }
                if host.isOver { host = .greeted() }
                let step = device.handle(tag: body[1], message: message)
                if device.openTag != 0, step != .none { _ = device.refuse(ErrorMessage(.busy)) }
                _ = host.handle(tag: body[1], message: message)
            } catch {
                refused += 1
            }
        }
        #expect(refused > 100 && taken > 100)
    }

    @Test("A stream of noise ends with a fault or waits for more")
    func noise() {
        var random = SplitMix64(seed: 31)
        for _ in 0..<5000 {
            let stream = random.bytes(Int.random(in: 0...40, using: &random))
            do throws(ProtocolFault) {
                guard let frame = try ReadFrame(stream, maximumBodyBytes: 320) else { continue }
                #expect(frame.totalBytes <= stream.count)
            } catch {
                #expect(error.error.scope != .request)
            }
        }
    }

    @Test("A GATT pipe takes any values in any order, and keeps its limits (BTP-022)")
    func values() {
        for role in [GATTPipe.Role.host, .device] {
            var random = SplitMix64(seed: 22)
            var pipe = GATTPipe(role: role, creditValues: 8)
            var received = 0
            var opened = 0
            for _ in 0..<30_000 {
                if role == .host, !pipe.isOpen { pipe.open() }
                let step = pipe.handle(value(next: received, &random).span.bytes)
                if step == .opened { opened += 1 }
                if step == .opened || !pipe.isOpen { received = 0 }
                if step == .data { received += 1 }
                if Bool.random(using: &random) { pipe.consumed(values: 1) }
                if random.next() % 50 == 0 { pipe.stalled() }
                while pipe.nextControl() != nil {}
                var sent = 0
                while pipe.canSendData, sent < 100 {
                    _ = pipe.nextDataHeader()
                    sent += 1
                }
                #expect(sent <= 64, "BTP-022")
            }
            #expect(opened > 50 && received >= 0)
        }
    }

    private func value(next: Int, _ random: inout SplitMix64) -> [UInt8] {
        let numbers: [UInt64] = [0, 1, 8, 64, 65, UInt64(next), UInt64(next) + 8, 0xFFFF_FFFF]
        let number = little(numbers[Int(random.next() % 8)], bytes: 4)
        switch random.next() % 24 {
        case 0: return random.bytes(Int(random.next() % 520))
        case 1: return [0x80, 1] + number
        case 2, 3: return [0x81, 1] + number
        case 4...7: return [0x82] + number
        case 8: return [0x83] + number
        case 9: return [0x84, UInt8(random.next() % 5)]
        default: return [UInt8(next & 0x7F), 1, 2, 3]
        }
    }
}

import BargeProtocol
import Testing

/// A peer can be anybody. Whatever it sends, the machines neither trap nor break their promises.
/// Each failure names its seed, and the seed gives the same frames again.
@Suite("Random peers (BTP-102)")
struct RandomPeerTests {
    /// What a device's session promises, kept in numbers of the test's own.
    private struct DeviceModel {
        var device = DeviceSession.greeted()
        var messages: RandomMessages
        var length: UInt64 = 0
        var received: UInt64 = 0
        var durable: UInt64 = 0
        var acknowledged: UInt64 = 0
        var ends = 0
        var blocks = 0
        var phase = RandomMessages.Phase.idle

        mutating func turn() {
            if device.openTag == 0 { phase = .idle }
            let wasOpen = device.openTag
            let tag =
                messages.chance(90) && wasOpen != 0 ? wasOpen : UInt8(messages.random.next() & 3)
            let message = messages.fromHost(phase, offset: received, length: length)
            let step = device.handle(tag: tag, message: message)
            carryOut(step)
            if device.isOver {
                ends += 1
                device = .greeted()
            }
        }

        private mutating func carryOut(_ step: DeviceStep) {
            switch step {
            case .none: break
            case .openWrite(let request): openWrite(request)
            case .store(let header): store(header)
            case .commit:
                #expect(durable == length, "BTP-065")
                let committed = Committed(digest: Digest(repeating: 7), microseconds: 1)
                _ =
                    messages.chance(50)
                    ? device.committed(committed) : device.refuse(ErrorMessage(.digestMismatch))
                #expect(device.openTag == 0)
            case .openRead(let request): openRead(request)
            case .answer(let message):
                #expect(device.openTag != 0)
                _ = device.answered(with: message)
                #expect(device.openTag == 0)
            case .refuse(_, let error):
                #expect(error.scope == .request && device.openTag == 0 && !device.isOver)
            case .cancel(let tag):
                #expect(tag != 0 && device.openTag == 0 && !device.isOver)
            case .abandon: #expect(device.openTag == 0)
            case .finish: #expect(device.isOver)
            case .fail(let error):
                #expect(device.isOver && device.openTag == 0 && error.scope != .request)
            }
        }

        private mutating func openWrite(_ request: WriteRequest) {
            length = request.length
            received = min(length, messages.pick([0, 0, 0, 100, length]))
            durable = received
            acknowledged = received
            phase = .writing
            _ = device.writeOpened(
                offset: received, prefixCheck: 0, isComplete: messages.chance(5))
        }

        private mutating func store(_ header: BlockHeader) {
            blocks += 1
            #expect(header.offset == received, "BTP-054")
            #expect(header.rawBytes <= 256 && header.codedBytes <= header.rawBytes, "BTP-050")
            received += UInt64(header.rawBytes)
            #expect(received <= length && received - acknowledged <= 768, "BTP-050, BTP-055")
            if messages.chance(3) {
                _ = device.refuse(ErrorMessage(.badBlock))
                return
            }
            let acknowledgement: Message?
            if messages.chance(70) {
                durable = received
                acknowledgement = device.blockStored()
            } else {
                acknowledgement = device.fellIdle()
            }
            guard case .acknowledge(let offset)? = acknowledgement else { return }
            #expect(offset > acknowledged && offset <= durable, "BTP-063")
            acknowledged = offset
        }

        private mutating func openRead(_ request: ReadRequest) {
            let size: UInt64 = messages.pick([0, 1, 700, 5000, .max])
            guard case .readReady = device.readOpened(size: size, prefixCheck: 0) else {
                #expect(device.openTag == 0)
                return
            }
            received = request.offset
            length = size
            phase = .reading
            sendBlocks(from: request.offset, size: size)
        }

        private mutating func sendBlocks(from start: UInt64, size: UInt64) {
            while true {
                switch device.nextBlock() {
                case .none: return
                case .send(let offset, let rawBytes):
                    #expect(offset == received && rawBytes <= 256)
                    received += UInt64(rawBytes)
                    #expect(received <= size && received - start <= 768)
                case .end(let end):
                    #expect(end == received && end <= size)
                    _ = device.readEnded(digest: Digest())
                    return
                }
            }
        }
    }

    @Test(
        "A device keeps its invariants against any host", arguments: 1...12 as ClosedRange<UInt64>)
    func device(seed: UInt64) {
        var model = DeviceModel(messages: RandomMessages(random: SplitMix64(seed: seed)))
        for _ in 0..<6000 { model.turn() }
        #expect(model.blocks > 500, "the frames were too wild to get anywhere")
        #expect(model.ends > 10, "the frames were too tame")
    }

    /// What a host's session promises.
    private struct HostModel {
        var host = HostSession.greeted()
        var messages: RandomMessages
        var offset: UInt64 = 0
        var end: UInt64 = 0
        var durable: UInt64 = 0
        var phase = RandomMessages.Phase.idle
        var ends = 0
        var blocks = 0
        var answers = 0

        mutating func turn() {
            act()
            let wasOpen = host.openTag
            let tag =
                messages.chance(90) && wasOpen != 0 ? wasOpen : UInt8(messages.random.next() & 3)
            let message = messages.fromDevice(phase, offset: offset, length: end)
            take(host.handle(tag: tag, message: message), message)
            if host.isOver {
                ends += 1
                host = .greeted()
            }
        }

        private var isWriting: Bool {
            guard case .writing = phase else { return false }
            return true
        }

        private mutating func act() {
            if host.isIdle, messages.chance(1) {
                phase = .finishing
                _ = host.finish()
            }
            if host.isIdle { ask() }
            while let plan = host.nextBlock() {
                #expect(isWriting && plan.offset == offset && plan.rawBytes <= 256)
                offset += UInt64(plan.rawBytes)
                #expect(offset - durable <= 768, "BTP-055")
            }
            if host.canCommit {
                phase = .committing
                _ = host.commit()
            }
            if messages.chance(2), host.cancel() != nil { phase = .canceling }
        }

        private mutating func ask() {
            phase = .idle
            let request =
                messages.chance(30)
                ? messages.pick(Message.everyRequest)
                : messages.fromHost(.idle, offset: 0, length: 3000)
            guard Message.everyRequest.contains(where: { $0.type == request.type }) else { return }
            if case .write(let write) = request, write.length > 0xFFFF_FFFF_FFFF { return }
            phase = .asked(request)
            _ = host.begin(request)
        }

        private mutating func take(_ step: HostStep, _ message: Message) {
            switch step {
            case .none, .busy, .greeted: break
            case .answered(let answer):
                #expect(answer == message)
                answers += 1
                begin(answer)
            case .durable(let to):
                #expect(isWriting && to > durable && to <= offset, "BTP-063")
                durable = to
            case .store(let header):
                blocks += 1
                #expect(header.offset == offset && header.rawBytes <= 256, "BTP-054")
                offset += UInt64(header.rawBytes)
                let from = messages.pick([0, offset])
                if case .acknowledge(let to)? = host.stored(upTo: from) { #expect(to == offset) }
            case .failed(let error):
                #expect(host.isOver == (error.scope != .request))
                #expect(host.openTag == 0)
            case .finished, .violated: #expect(host.isOver)
            }
        }

        private mutating func begin(_ answer: Message) {
            let asked = phase
            if case .writeReady(let ready) = answer, !host.isIdle {
                phase = .writing
                offset = ready.offset
                durable = ready.offset
            }
            if case .readReady(let ready) = answer {
                phase = .reading
                offset = ready.offset
                end = ready.size
                if case .asked(.read(let read)) = asked, read.length < end - offset {
                    end = offset + read.length
                }
            }
        }
    }

    @Test(
        "A host keeps its invariants against any device", arguments: 1...12 as ClosedRange<UInt64>)
    func host(seed: UInt64) {
        var model = HostModel(messages: RandomMessages(random: SplitMix64(seed: seed)))
        for _ in 0..<6000 { model.turn() }
        #expect(model.answers > 500 && model.blocks > 500, "too wild to get anywhere")
        #expect(model.ends > 10, "too tame")
    }
}

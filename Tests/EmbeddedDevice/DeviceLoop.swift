import BargeProtocol

/// What a microcontroller has to supply: a pipe to send on, and somewhere to write.
protocol DevicePort {
    /// Hands a frame to the pipe, or to a queue in front of it.
    mutating func send(_ frame: RawSpan)
    /// How much it holds of this object already; nil where it has no room for it.
    mutating func open(_ request: WriteRequest) -> UInt64?
    /// The CRC-32 of what it holds below an offset, read from storage.
    mutating func check(below offset: UInt64) -> UInt32
    /// Makes bytes durable; false where storage fails.
    mutating func store(_ bytes: RawSpan, at offset: UInt64) -> Bool
    /// The SHA-256 of the whole object, read back from storage.
    mutating func digest() -> Digest
}

/// A device that takes uploads in stored blocks, and nothing else. Both buffers hold one frame:
/// the longest body of its HELLO and 8 bytes.
struct DeviceLoop<Port: DevicePort> {
    private(set) var session: DeviceSession
    var port: Port
    private var parser = FrameParser()
    private let inbox: UnsafeMutableRawBufferPointer
    private let outbox: UnsafeMutableRawBufferPointer
    private var count = 0
    private var announced = Digest()
    /// What the last frame said: here rather than on the stack.
    private var message = Message.fin

    init(
        hello: Hello, port: Port, inbox: UnsafeMutableRawBufferPointer,
        outbox: UnsafeMutableRawBufferPointer
    ) {
        session = DeviceSession(hello: hello)
        self.port = port
        self.inbox = inbox
        self.outbox = outbox
    }

    /// The pipe is open.
    mutating func start() { send(session.greeting, tag: 0) }

    /// Bytes from the pipe, cut anywhere.
    mutating func receive(_ bytes: RawSpan) {
        for offset in 0..<bytes.byteCount where !session.isOver {
            inbox[count] = bytes.byte(at: offset)
            count += 1
            takeFrame()
        }
        reply(session.fellIdle())
    }

    private mutating func takeFrame() {
        let stream = UnsafeRawBufferPointer(rebasing: inbox[..<count]).bytes
        do throws(ProtocolFault) {
            guard case .frame(let frame) = try parser.next(in: stream) else { return }
            count = 0
            let body = stream.extracting(frame.body)
            guard try message.read(type: frame.type, body: body) else { return }
            carryOut(session.handle(tag: frame.tag, message: message), body)
            if session.terms != nil { parser.maximumBodyBytes = Int(session.hello.bodyBytes) }
        } catch {
            carryOut(session.violation(error), stream)
        }
    }

    private mutating func carryOut(_ step: DeviceStep, _ body: RawSpan) {
        switch step {
        case .none, .abandon: break
        case .openWrite(let request): open(request)
        case .store(let header):
            let bytes = body.extracting(ProtocolLimits.blockHeaderBytes..<body.byteCount)
            guard port.store(bytes, at: header.offset) else {
                return reply(session.refuse(ErrorMessage(.storageFailure)))
            }
            reply(session.blockStored())
        case .commit:
            let digest = port.digest()
            guard digest == announced else {
                return reply(session.refuse(ErrorMessage(.digestMismatch)))
            }
            reply(session.committed(Committed(digest: digest, microseconds: 0)))
        case .openRead, .answer: reply(session.refuse(ErrorMessage(.notSupported)))
        case .refuse(let tag, let error): send(.error(error), tag: tag)
        case .cancel(let tag): send(.canceled, tag: tag)
        case .finish: send(.fin, tag: 0)
        case .fail(let error): send(.error(error), tag: 0)
        }
    }

    private mutating func open(_ request: WriteRequest) {
        announced = request.digest
        guard let offset = port.open(request) else {
            return reply(session.refuse(ErrorMessage(.noSpace)))
        }
        let check = port.check(below: offset)
        reply(session.writeOpened(offset: offset, prefixCheck: check, isComplete: false))
    }

    private mutating func reply(_ message: Message?) {
        if let message { send(message, tag: session.replyTag) }
    }

    private mutating func send(_ message: Message, tag: UInt8) {
        var sink = BufferSink(outbox)
        message.encode(tag: tag, into: &sink)
        port.send(UnsafeRawBufferPointer(rebasing: outbox[..<sink.count]).bytes)
    }
}

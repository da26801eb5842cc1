/// The device's half of a session: what each frame from a host asks for, and what it may not.
///
/// It holds no bytes and does nothing itself. The driver hands over each frame's content with
/// ``handle(tag:message:)``, carries the step out, and tells the outcome with one of the functions
/// below, each of which returns the frame to send. Order of a turn: send what is due; if a read is
/// open, ``nextBlock()``; else the next frame.
///
/// ```
///  greeting ──HELLO──▶ idle ──WRITE──▶ opening ──writeOpened──▶ writing ──COMMIT──▶ committing
///                      ▲ │                                         │ CANCEL, ERROR      │
///                      │ ├──READ──▶ opening ──readOpened──▶ reading│                    │
///                      │ ├──LIST, STAT, …──▶ answering             ▼                    ▼
///                      │ │                        └───────────▶ (idle) ◀────────────────┘
///                      │ └──FIN──▶ finished            any ──violation──▶ failed
/// ```
/// Invariants: one request is open at most; `acknowledged ≤ durable ≤ received ≤ length`;
/// `received ≤ acknowledged + window`.
public struct DeviceSession: Equatable, Sendable {
    /// What this device says of itself.
    public let hello: Hello
    /// What both sides settled on; nil before the host's HELLO.
    public private(set) var terms: SessionTerms?
    private var state: State = .greeting

    private enum State: Equatable, Sendable {
        case greeting
        case idle
        case opening(tag: UInt8, Opening)
        case writing(DeviceWrite)
        case committing(tag: UInt8)
        case reading(DeviceRead)
        case answering(tag: UInt8)
        case finished
        case failed
    }

    private enum Opening: Equatable, Sendable {
        case write(WriteRequest)
        case read(ReadRequest)
    }

    /// A session at its start. Its first frame is HELLO: ``greeting``.
    public init(hello: Hello) { self.hello = hello }

    // MARK: Getters

    /// The first frame to send, before anything is heard (BTP-040).
    public var greeting: Message { .hello(hello) }

    /// The tag of the open request; 0 where there is none.
    public var openTag: UInt8 {
        switch state {
        case .greeting, .idle, .finished, .failed: 0
        case .opening(let tag, _), .committing(let tag), .answering(let tag): tag
        case .writing(let write): write.tag
        case .reading(let read): read.tag
        }
    }

    /// True once both sides have said FIN, or the session failed: nothing more is taken.
    public var isOver: Bool { state == .finished || state == .failed }

    // MARK: From the host

    /// Takes one frame's content.
    public mutating func handle(tag: UInt8, message: Message) -> DeviceStep {
        switch message {
        case .hello(let peer): return greet(peer)
        case .error(let error): return hear(error)
        case .fin: return finish()
        default: break
        }
        guard state != .greeting else {
            return violation(.unexpectedFrame(type: message.type.rawValue))
        }
        guard !isOver else { return .none }
        switch message {
        case .block(let header): return take(header, tag: tag)
        case .acknowledge(let offset): return takeAcknowledgement(of: offset, tag: tag)
        case .commit: return commit(tag: tag)
        case .cancel: return cancel(tag: tag)
        case .write, .read, .list, .stat, .remove, .images, .test, .confirm, .reset, .echo:
            return open(message, tag: tag)
        case .hello, .error, .fin, .busy, .echoed, .writeReady, .committed, .readReady, .readEnd,
            .canceled, .entry, .listed, .stated, .removed, .imageStates, .resetting:
            return violation(.unexpectedFrame(type: message.type.rawValue))
        }
    }

    /// The stream or a body could not be read: the session ends with the error returned.
    public mutating func violation(_ fault: ProtocolFault) -> DeviceStep {
        state = .failed
        return .fail(fault.error)
    }

    // MARK: From the driver

    /// The object is open for writing: WRITE_READY. With `isComplete` the request is over.
    public mutating func writeOpened(offset: UInt64, prefixCheck: UInt32, isComplete: Bool)
        -> Message
    {
        guard case .opening(let tag, .write(let request)) = state, let terms else {
            preconditionFailure("no write is being opened")
        }
        precondition(offset <= request.length, "the device holds more than the object has")
        let write = DeviceWrite(tag: tag, length: request.length, offset: offset, terms: terms)
        state = isComplete ? .idle : .writing(write)
        return .writeReady(
            WriteReady(isComplete: isComplete, offset: offset, prefixCheck: prefixCheck))
    }

    /// The last block is durable: ACK, where one is due now (BTP-063).
    public mutating func blockStored() -> Message? {
        guard case .writing(var write) = state else { preconditionFailure("nothing is written") }
        let acknowledgement = write.stored()
        state = .writing(write)
        return acknowledgement
    }

    /// No whole frame is waiting: ACK for what is durable and not yet acknowledged (BTP-063).
    public mutating func fellIdle() -> Message? {
        guard case .writing(var write) = state else { return nil }
        let acknowledgement = write.acknowledgeAll()
        state = .writing(write)
        return acknowledgement
    }

    /// What was written reads back with the announced digest: COMMITTED.
    public mutating func committed(_ committed: Committed) -> Message {
        guard case .committing = state else { preconditionFailure("no commit is open") }
        state = .idle
        return .committed(committed)
    }

    /// The object is open for reading: READ_READY, then blocks. An offset beyond the size is
    /// refused (BTP-071).
    public mutating func readOpened(size: UInt64, prefixCheck: UInt32) -> Message {
        guard case .opening(let tag, .read(let request)) = state, let terms else {
            preconditionFailure("no read is being opened")
        }
        guard request.offset <= size else {
            return refuse(ErrorMessage(.badOffset, detail: size))
        }
        state = .reading(DeviceRead(tag: tag, request: request, size: size, terms: terms))
        return .readReady(
            ReadReady(size: size, offset: request.offset, prefixCheck: prefixCheck))
    }

    /// What an open read has to send next; `.none` while the host's window is full, and where no
    /// read is open.
    public mutating func nextBlock() -> DeviceReadStep {
        guard case .reading(var read) = state else { return .none }
        let step = read.next()
        state = .reading(read)
        return step
    }

    /// All blocks are out: READ_END with the digest of all before the end (BTP-073).
    public mutating func readEnded(digest: Digest) -> Message {
        guard case .reading(let read) = state else { preconditionFailure("nothing is read") }
        state = .idle
        return .readEnd(ReadEnd(end: read.end, digest: digest))
    }

    /// The request is answered with its last frame.
    public mutating func answered(with message: Message) -> Message {
        guard case .answering = state else { preconditionFailure("no request is open") }
        state = .idle
        return message
    }

    /// The open request cannot be done: ERROR of request scope.
    public mutating func refuse(_ error: ErrorMessage) -> Message {
        precondition(openTag != 0, "no request is open")
        precondition(error.scope == .request, "a request is refused, not the session")
        state = .idle
        return .error(error)
    }
}

// MARK: - Transitions

extension DeviceSession {
    private mutating func greet(_ peer: Hello) -> DeviceStep {
        guard state == .greeting else {
            return violation(.unexpectedFrame(type: FrameType.hello.rawValue))
        }
        do {
            terms = try SessionTerms(own: hello, peer: peer)
        } catch {
            return violation(error)
        }
        state = .idle
        return .none
    }

    private mutating func hear(_ error: ErrorMessage) -> DeviceStep {
        guard error.scope != .request else {
            guard openTag != 0 else { return .none }
            state = .idle
            return .abandon
        }
        state = .failed
        return .abandon
    }

    private mutating func finish() -> DeviceStep {
        guard state != .greeting else {
            return violation(.unexpectedFrame(type: FrameType.fin.rawValue))
        }
        guard !isOver else { return .none }
        state = .finished
        return .finish
    }

    private mutating func take(_ header: BlockHeader, tag: UInt8) -> DeviceStep {
        guard case .writing(var write) = state, write.tag == tag else { return .none }
        if let error = write.refusal(of: header) {
            state = .idle
            return .refuse(tag: tag, error)
        }
        write.received(header)
        state = .writing(write)
        return .store(header)
    }

    private mutating func takeAcknowledgement(of offset: UInt64, tag: UInt8) -> DeviceStep {
        guard case .reading(var read) = state, read.tag == tag else { return .none }
        read.acknowledged(offset)
        state = .reading(read)
        return .none
    }

    private mutating func commit(tag: UInt8) -> DeviceStep {
        guard case .writing(let write) = state, write.tag == tag else { return .none }
        guard write.isComplete else {
            state = .idle
            return .refuse(tag: tag, ErrorMessage(.unexpectedFrame, scope: .request))
        }
        state = .committing(tag: tag)
        return .commit
    }

    private mutating func cancel(tag: UInt8) -> DeviceStep {
        guard openTag == tag, tag != 0 else { return .none }
        state = .idle
        return .cancel(tag: tag)
    }

    private mutating func open(_ message: Message, tag: UInt8) -> DeviceStep {
        guard case .idle = state, tag != 0 else {
            return violation(.unexpectedFrame(type: message.type.rawValue))
        }
        switch message {
        case .write(let request):
            state = .opening(tag: tag, .write(request))
            return .openWrite(request)
        case .read(let request):
            state = .opening(tag: tag, .read(request))
            return .openRead(request)
        default:
            state = .answering(tag: tag)
            return .answer(message)
        }
    }
}

/// What the driver of a device's half has to do.
public enum DeviceStep: Equatable, Sendable {
    /// Nothing.
    case none
    /// Open the object for writing; then `writeOpened`, or `refuse`.
    case openWrite(WriteRequest)
    /// Inflate the block if it is deflated, make it durable; then `blockStored`, or `refuse`.
    case store(BlockHeader)
    /// Read the object back and digest it; then `committed`, or `refuse`.
    case commit
    /// Open the object for reading; then `readOpened`, or `refuse`.
    case openRead(ReadRequest)
    /// Answer this request (LIST, STAT, REMOVE, IMAGES, TEST, CONFIRM, RESET, ECHO); the last
    /// frame of it with `answered`, or `refuse`.
    case answer(Message)
    /// The request is over with this error; send it and let go of the object.
    case refuse(tag: UInt8, ErrorMessage)
    /// The host gave the request up: let go of the object, and send CANCELED.
    case cancel(tag: UInt8)
    /// The host ended the request, or the session if ``DeviceSession/isOver``: let go of the
    /// object.
    case abandon
    /// Let go of any open object, send what is due, then FIN; the host closes.
    case finish
    /// Let go of any open object, send this error with tag 0, and take nothing more.
    case fail(ErrorMessage)
}

/// What an open read has to send next.
public enum DeviceReadStep: Equatable, Sendable {
    /// Nothing now.
    case none
    /// A block of so many raw bytes from this offset.
    case send(offset: UInt64, rawBytes: Int)
    /// The digest of all below `end`; then `readEnded`.
    case end(UInt64)
}

/// The device's half of a session: what each frame from a host asks for, and what it may not.
///
/// It holds no bytes and does nothing itself. The driver hands over each frame's content with
/// ``handle(tag:message:)``, carries the step out, and tells the outcome with one of the functions
/// below, each of which returns the frame to send, with ``replyTag``. Order of a turn: send what is
/// due; if a read is open, ``nextBlock()``; else the next frame.
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
    /// The tag for a frame that one of the functions below returns: that of the last request, also
    /// where the frame ends it. BUSY and ENTRY carry it too.
    public private(set) var replyTag: UInt8 = 0
    private var state: State = .greeting

    private enum State: Equatable, Sendable {
        case greeting
        case idle
        case openingWrite(length: UInt64)
        case openingRead(offset: UInt64, length: UInt64)
        case writing(DeviceWrite)
        case committing
        case reading(DeviceRead)
        case answering
        case finished
        case failed
    }

    /// A session at its start. Its first frame is HELLO: ``greeting``.
    /// - Precondition: the numbers of `hello` are in their ranges and fit each other (BTP-044).
    public init(hello: Hello) {
        precondition(hello.isConsistent, "a HELLO that every peer would refuse")
        self.hello = hello
    }

    // MARK: Getters

    /// The first frame to send, with tag 0, before anything is heard (BTP-040).
    public var greeting: Message { .hello(hello) }

    /// The tag of the open request; 0 where there is none.
    public var openTag: UInt8 { isRequestOpen ? replyTag : 0 }

    /// True once both sides have said FIN, or the session failed: nothing more is taken.
    public var isOver: Bool {
        switch state {
        case .finished, .failed: true
        case .greeting, .idle, .openingWrite, .openingRead, .writing, .committing, .reading,
            .answering:
            false
        }
    }

    private var isRequestOpen: Bool {
        switch state {
        case .openingWrite, .openingRead, .writing, .committing, .reading, .answering: true
        case .greeting, .idle, .finished, .failed: false
        }
    }

    // MARK: From the host

    /// Takes one frame's content.
    public mutating func handle(tag: UInt8, message: Message) -> DeviceStep {
        guard !isOver else { return .none }
        switch message {
        case .hello(let peer): return greet(peer)
        case .error(let error): return hear(error, tag: tag)
        case .fin: return finish()
        case .block(let header): return take(header, tag: tag)
        case .acknowledge(let offset): return take(offset, tag: tag)
        case .commit: return commit(tag: tag)
        case .cancel: return cancel(tag: tag)
        case .write, .read, .list, .stat, .remove, .images, .test, .confirm, .reset, .echo:
            return open(message, tag: tag)
        case .busy, .echoed, .writeReady, .committed, .readReady, .readEnd, .canceled, .entry,
            .listed, .stated, .removed, .imageStates, .resetting:
            return unexpected(message.type)
        }
    }

    /// The stream or a body could not be read: the session ends with the error returned.
    public mutating func violation(_ fault: ProtocolFault) -> DeviceStep {
        guard !isOver else { return .none }
        state = .failed
        return .fail(fault.error)
    }

    // MARK: From the driver

    /// The object is open for writing: WRITE_READY. With `isComplete` the request is over.
    public mutating func writeOpened(offset: UInt64, prefixCheck: UInt32, isComplete: Bool)
        -> Message
    {
        guard case .openingWrite(let length) = state, let terms else {
            preconditionFailure("no write is being opened")
        }
        precondition(offset <= length, "the device holds more than the object has")
        let write = DeviceWrite(length: length, offset: offset, terms: terms)
        state = isComplete ? .idle : .writing(write)
        return .writeReady(
            WriteReady(isComplete: isComplete, offset: offset, prefixCheck: prefixCheck))
    }

    /// Every block that was handed out so far is durable: ACK, where one is due now (BTP-063).
    /// A driver that gathers blocks calls it once they are all written.
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
    /// refused (BTP-071), and so is an end that no block can carry (BTP-056).
    public mutating func readOpened(size: UInt64, prefixCheck: UInt32) -> Message {
        guard case .openingRead(let offset, let length) = state, let terms else {
            preconditionFailure("no read is being opened")
        }
        guard offset <= size else { return refuse(ErrorMessage(.badOffset, detail: size)) }
        let end = offset + min(length, size - offset)
        guard end <= ProtocolLimits.maximumOffset else {
            return refuse(ErrorMessage(.notSupported, detail: ProtocolLimits.maximumOffset))
        }
        state = .reading(DeviceRead(offset: offset, end: end, terms: terms))
        return .readReady(ReadReady(size: size, offset: offset, prefixCheck: prefixCheck))
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
        precondition(isRequestOpen, "no request is open")
        precondition(error.scope == .request, "a request is refused, not the session")
        state = .idle
        return .error(error)
    }
}

// MARK: - Transitions

extension DeviceSession {
    private mutating func greet(_ peer: Hello) -> DeviceStep {
        guard case .greeting = state else { return unexpected(.hello) }
        do {
            terms = try SessionTerms(own: hello, peer: peer)
        } catch {
            return violation(error)
        }
        state = .idle
        return .none
    }

    private mutating func hear(_ error: ErrorMessage, tag: UInt8) -> DeviceStep {
        guard error.scope == .request else {
            state = .failed
            return .abandon
        }
        guard isRequestOpen, tag == replyTag else { return .none }
        state = .idle
        return .abandon
    }

    private mutating func finish() -> DeviceStep {
        if case .greeting = state { return unexpected(.fin) }
        state = .finished
        return .finish
    }

    private mutating func take(_ header: BlockHeader, tag: UInt8) -> DeviceStep {
        guard case .writing(var write) = state, tag == replyTag else {
            return misplaced(header.coding == .stored ? .storedBlock : .deflatedBlock, tag: tag)
        }
        if let flaw = write.flaw(of: header) {
            state = .idle
            return .refuse(tag: tag, ErrorMessage(flaw.code, detail: flaw.detail))
        }
        write.received(header)
        state = .writing(write)
        return .store(header)
    }

    private mutating func take(_ acknowledgement: UInt64, tag: UInt8) -> DeviceStep {
        guard case .reading(var read) = state, tag == replyTag else {
            return misplaced(.acknowledge, tag: tag)
        }
        guard read.acknowledged(acknowledgement) else { return violation(.malformed) }
        state = .reading(read)
        return .none
    }

    private mutating func commit(tag: UInt8) -> DeviceStep {
        guard case .writing(let write) = state, tag == replyTag else {
            return misplaced(.commit, tag: tag)
        }
        guard write.isComplete else {
            state = .idle
            return .refuse(tag: tag, ErrorMessage(.unexpectedFrame, scope: .request))
        }
        state = .committing
        return .commit
    }

    private mutating func cancel(tag: UInt8) -> DeviceStep {
        guard isRequestOpen, tag == replyTag else { return misplaced(.cancel, tag: tag) }
        state = .idle
        return .cancel(tag: tag)
    }

    /// BLOCK, ACK, COMMIT or CANCEL that nobody waits for: of a request that is over it is skipped
    /// (BTP-035), else it is a fault (BTP-040, BTP-046).
    private mutating func misplaced(_ type: FrameType, tag: UInt8) -> DeviceStep {
        if case .greeting = state { return unexpected(type) }
        return isRequestOpen && tag == replyTag ? unexpected(type) : .none
    }

    private mutating func open(_ message: Message, tag: UInt8) -> DeviceStep {
        guard case .idle = state, tag != 0 else { return unexpected(message.type) }
        replyTag = tag
        let echoLimit = terms?.peerBodyBytes ?? 0
        switch message.flaw(echoLimit: echoLimit) {
        case .none: break
        case .badName: return .refuse(tag: tag, ErrorMessage(.badName))
        case .tooLong:
            let limit = ProtocolLimits.maximumOffset
            return .refuse(tag: tag, ErrorMessage(.noSpace, detail: limit))
        case .echoTooLong:
            let limit = UInt64(widening: echoLimit)
            return .refuse(tag: tag, ErrorMessage(.notSupported, detail: limit))
        }
        if case .write(let request) = message {
            state = .openingWrite(length: request.length)
            return .openWrite(request)
        }
        if case .read(let request) = message {
            state = .openingRead(offset: request.offset, length: request.length)
            return .openRead(request)
        }
        state = .answering
        return .answer(message)
    }

    private mutating func unexpected(_ type: FrameType) -> DeviceStep {
        violation(.unexpectedFrame(type: type.rawValue))
    }
}

/// Why a request is refused before anybody looks for its object.
private enum RequestFlaw {
    case none
    case badName
    case tooLong
    case echoTooLong
}

extension Message {
    fileprivate func flaw(echoLimit: Int) -> RequestFlaw {
        switch self {
        case .write(let request):
            if request.object.hasBadName { return .badName }
            return request.length > ProtocolLimits.maximumOffset ? .tooLong : .none
        case .read(let request): return request.object.hasBadName ? .badName : .none
        case .stat(let object), .remove(let object): return object.hasBadName ? .badName : .none
        case .echo(let byteCount): return byteCount > echoLimit ? .echoTooLong : .none
        case .hello, .error, .fin, .busy, .echoed, .writeReady, .commit, .committed, .readReady,
            .readEnd, .acknowledge, .cancel, .canceled, .block, .list, .entry, .listed, .stated,
            .removed, .images, .imageStates, .test, .confirm, .reset, .resetting:
            return .none
        }
    }
}

extension ObjectReference {
    /// True for a file whose name is none (BTP-080).
    fileprivate var hasBadName: Bool { kind == .file && !name.isValidFileName }
}

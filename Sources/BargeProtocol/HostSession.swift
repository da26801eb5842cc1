/// The host's half of a session: which frame may be sent now, and what each answer means.
///
/// It holds no bytes and does nothing itself. The driver sends ``greeting``, hands over each
/// frame's content with ``handle(tag:message:)``, and acts on the step. Commands (`begin`,
/// `commit`, `cancel`, `finish`) return the frame to send with ``openTag``.
///
/// ```
///  greeting ──HELLO──▶ idle ──begin──▶ asked ──last frame of the answer──▶ idle
///                      │ ▲               ├──WRITE_READY──▶ writing ──commit──▶ committing ─▶ idle
///                      │ │               └──READ_READY───▶ reading ──READ_END──▶ idle
///                      │ └── ERROR of request scope, CANCELED ◀── any open request
///                      └──finish──▶ finishing ──FIN──▶ closed
/// ```
/// Invariants: one request is open at most; in a write `durable ≤ sent ≤ durable + window`.
public struct HostSession: Equatable, Sendable {
    /// What this host says of itself.
    public let hello: Hello
    /// The device's HELLO; nil before it came.
    public private(set) var peer: Hello?
    /// What both sides settled on; nil before the device's HELLO.
    public private(set) var terms: SessionTerms?
    private var state: State = .greeting
    private var lastTag: UInt8 = 0

    private enum State: Equatable, Sendable {
        case greeting
        case idle
        case asked(Message)
        case writing(HostWrite)
        case committing
        case reading(HostRead)
        case canceling
        case finishing
        case closed
    }

    /// A session at its start.
    public init(hello: Hello) { self.hello = hello }

    // MARK: Getters

    /// The first frame to send, with tag 0, before anything is heard (BTP-040).
    public var greeting: Message { .hello(hello) }

    /// The tag of the open request (BTP-034); 0 where there is none.
    public var openTag: UInt8 {
        switch state {
        case .asked, .writing, .committing, .reading, .canceling: lastTag
        case .greeting, .idle, .finishing, .closed: 0
        }
    }

    /// True where a request may begin.
    public var isIdle: Bool { state == .idle }

    /// True once FIN was answered or the session failed.
    public var isOver: Bool { state == .closed }

    /// The device's durable offset of the open write; nil where none is open.
    public var durableOffset: UInt64? {
        guard case .writing(let write) = state else { return nil }
        return write.durableOffset
    }

    // MARK: Commands

    /// Opens a request: WRITE, READ, LIST, STAT, REMOVE, IMAGES, TEST, CONFIRM, RESET or ECHO.
    /// - Precondition: ``isIdle``.
    public mutating func begin(_ request: Message) -> Message {
        precondition(isIdle, "one request at a time (BTP-035)")
        lastTag = lastTag == 255 ? 1 : lastTag + 1
        state = .asked(request)
        return request
    }

    /// The next block to send; nil while the device's window is full, and when all are sent.
    public mutating func nextBlock() -> BlockPlan? {
        guard case .writing(var write) = state else { return nil }
        let plan = write.next()
        state = .writing(write)
        return plan
    }

    /// True when every byte of the open write is durable: COMMIT is due.
    public var canCommit: Bool {
        guard case .writing(let write) = state else { return false }
        return write.isComplete
    }

    /// COMMIT. - Precondition: ``canCommit``.
    public mutating func commit() -> Message {
        precondition(canCommit, "not all is durable (BTP-065)")
        state = .committing
        return .commit
    }

    /// Everything below `offset` is written here: ACK, where one is due (BTP-072).
    public mutating func stored(upTo offset: UInt64) -> Message? {
        guard case .reading(var read) = state else { return nil }
        let acknowledgement = read.stored(upTo: offset)
        state = .reading(read)
        return acknowledgement
    }

    /// CANCEL for the open request, nil where there is none.
    public mutating func cancel() -> Message? {
        guard openTag != 0, state != .canceling else { return nil }
        state = .canceling
        return .cancel
    }

    /// FIN (BTP-048). - Precondition: ``isIdle``.
    public mutating func finish() -> Message {
        precondition(isIdle, "a request is open")
        state = .finishing
        return .fin
    }

    // MARK: From the device

    /// Takes one frame's content.
    public mutating func handle(tag: UInt8, message: Message) -> HostStep {
        switch message {
        case .hello(let peer): return greet(peer)
        case .error(let error): return hear(error, tag: tag)
        case .fin: return takeFIN()
        default: break
        }
        guard state != .greeting else {
            return violation(.unexpectedFrame(type: message.type.rawValue))
        }
        guard openTag != 0, tag == openTag else { return .none }
        if case .busy(let report) = message { return .busy(report) }
        return takeAnswer(message)
    }

    /// The stream or a body could not be read: the session ends with the error to send.
    public mutating func violation(_ fault: ProtocolFault) -> HostStep {
        state = .closed
        return .violated(fault)
    }
}

// MARK: - Transitions

extension HostSession {
    private mutating func greet(_ peer: Hello) -> HostStep {
        guard state == .greeting else {
            return violation(.unexpectedFrame(type: FrameType.hello.rawValue))
        }
        do {
            terms = try SessionTerms(own: hello, peer: peer)
        } catch {
            return violation(error)
        }
        self.peer = peer
        state = .idle
        return .greeted(peer)
    }

    private mutating func hear(_ error: ErrorMessage, tag: UInt8) -> HostStep {
        guard error.scope == .request else {
            state = .closed
            return .failed(error)
        }
        guard openTag != 0, tag == openTag else { return .none }
        state = .idle
        return .failed(error)
    }

    private mutating func takeFIN() -> HostStep {
        guard state == .finishing else {
            return violation(.unexpectedFrame(type: FrameType.fin.rawValue))
        }
        state = .closed
        return .finished
    }

    private mutating func takeAnswer(_ message: Message) -> HostStep {
        switch state {
        case .asked(let request): return takeAnswer(message, to: request)
        case .writing(var write):
            guard case .acknowledge(let offset) = message else { return unexpected(message) }
            guard write.acknowledged(offset) else { return .none }
            state = .writing(write)
            return .durable(offset)
        case .committing:
            if case .acknowledge = message { return .none }
            guard case .committed = message else { return unexpected(message) }
            state = .idle
            return .answered(message)
        case .reading(let read): return takeBlock(message, read)
        case .canceling:
            guard Self.isLast(message) else { return .none }
            state = .idle
            return .answered(message)
        case .greeting, .idle, .finishing, .closed: return .none
        }
    }

    private mutating func takeAnswer(_ message: Message, to request: Message) -> HostStep {
        switch (request, message) {
        case (.write(let write), .writeReady(let ready)):
            guard let terms, ready.offset <= write.length else { return unexpected(message) }
            state =
                ready.isComplete
                ? .idle : .writing(HostWrite(length: write.length, ready: ready, terms: terms))
            return .answered(message)
        case (.read(let read), .readReady(let ready)):
            guard let terms, ready.offset == read.offset, ready.offset <= ready.size else {
                return unexpected(message)
            }
            state = .reading(HostRead(request: read, ready: ready, terms: terms))
            return .answered(message)
        case (.list, .entry): return .answered(message)
        case (.list, .listed), (.stat, .stated), (.remove, .removed), (.images, .imageStates),
            (.test, .imageStates), (.confirm, .imageStates), (.reset, .resetting),
            (.echo, .echoed):
            state = .idle
            return .answered(message)
        default: return unexpected(message)
        }
    }

    private mutating func takeBlock(_ message: Message, _ read: HostRead) -> HostStep {
        var read = read
        switch message {
        case .block(let header):
            guard read.accepts(header) else { return violation(.malformed) }
            read.received(header)
            state = .reading(read)
            return .store(header)
        case .readEnd(let end):
            guard read.isComplete, end.end == read.end else { return violation(.malformed) }
            state = .idle
            return .answered(message)
        default: return unexpected(message)
        }
    }

    private mutating func unexpected(_ message: Message) -> HostStep {
        violation(.unexpectedFrame(type: message.type.rawValue))
    }

    /// True for frames that end a request (BTP-067): after CANCEL one of them comes, or CANCELED.
    private static func isLast(_ message: Message) -> Bool {
        switch message {
        case .canceled, .committed, .readEnd, .listed, .stated, .removed, .imageStates,
            .resetting, .echoed:
            true
        case .writeReady(let ready): ready.isComplete
        case .hello, .error, .fin, .busy, .echo, .write, .commit, .read, .readReady,
            .acknowledge, .cancel, .block, .list, .entry, .stat, .remove, .images, .test,
            .confirm, .reset:
            false
        }
    }
}

/// What the driver of a host's half has to know or do.
public enum HostStep: Equatable, Sendable {
    /// Nothing.
    case none
    /// The device said HELLO; requests may begin.
    case greeted(Hello)
    /// A frame of the open request's answer; the request is over if ``HostSession/isIdle``.
    case answered(Message)
    /// The device works; wait on.
    case busy(BusyReport)
    /// Everything below this offset is durable on the device.
    case durable(UInt64)
    /// Inflate the block if it is deflated and write it; then `stored(upTo:)`.
    case store(BlockHeader)
    /// The request failed, or with a wider scope the session (``HostSession/isOver``).
    case failed(ErrorMessage)
    /// FIN was answered: close the pipe.
    case finished
    /// The device broke the protocol: send the fault's error, close the pipe.
    case violated(ProtocolFault)
}

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
    /// What COMMITTED has to prove; nil where the object has no digest (BTP-065).
    private var announcedDigest: Digest?

    private enum State: Equatable, Sendable {
        case greeting
        case idle
        case asked(HostRequest)
        case writing(HostWrite)
        case committing
        case reading(HostRead)
        /// CANCEL is sent; beside CANCELED, the frame of this type may have crossed it.
        case canceling(crossing: FrameType?)
        case finishing
        case closed
    }

    /// A session at its start.
    /// - Precondition: the numbers of `hello` are in their ranges and fit each other (BTP-044).
    public init(hello: Hello) {
        precondition(hello.isConsistent, "a HELLO that every peer would refuse")
        self.hello = hello
    }

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
    /// - Precondition: ``isIdle``, and the message is one of those.
    public mutating func begin(_ request: Message) -> Message {
        precondition(isIdle, "one request at a time (BTP-035)")
        guard let asked = HostRequest(request) else { preconditionFailure("not a request") }
        announcedDigest = nil
        if case .write(let write) = request {
            precondition(write.length <= ProtocolLimits.maximumOffset, "beyond BTP-056")
            announcedDigest = write.object.kind == .sink ? nil : write.digest
        }
        lastTag = lastTag == 255 ? 1 : lastTag + 1
        state = .asked(asked)
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
        switch state {
        case .greeting, .idle, .canceling, .finishing, .closed: return nil
        case .writing: state = .canceling(crossing: nil)
        case .committing: state = .canceling(crossing: .committed)
        case .reading: state = .canceling(crossing: .readEnd)
        case .asked(let request): state = .canceling(crossing: request.crossingCancel)
        }
        return .cancel
    }

    /// FIN (BTP-048), with tag 0. - Precondition: ``isIdle``.
    public mutating func finish() -> Message {
        precondition(isIdle, "a request is open")
        state = .finishing
        return .fin
    }

    // MARK: From the device

    /// Takes one frame's content.
    public mutating func handle(tag: UInt8, message: Message) -> HostStep {
        guard !isOver else { return .none }
        if case .hello(let peer) = message { return greet(peer) }
        if case .error(let error) = message { return hear(error, tag: tag) }
        if case .fin = message { return takeFIN() }
        guard state != .greeting else { return unexpected(message) }
        guard openTag != 0, tag == openTag else { return .none }
        if case .busy(let report) = message { return .busy(report) }
        return takeAnswer(message)
    }

    /// The stream or a body could not be read: the session ends with the error to send.
    public mutating func violation(_ fault: ProtocolFault) -> HostStep {
        guard !isOver else { return .none }
        state = .closed
        return .violated(fault)
    }
}

// MARK: - Transitions

extension HostSession {
    private mutating func greet(_ peer: Hello) -> HostStep {
        guard state == .greeting else { return unexpected(.hello(peer)) }
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
        guard state == .finishing else { return unexpected(.fin) }
        state = .closed
        return .finished
    }

    private mutating func takeAnswer(_ message: Message) -> HostStep {
        switch state {
        case .asked(let request): return takeAnswer(message, to: request)
        case .writing(let write): return takeAcknowledgement(message, write)
        case .committing: return takeCommitted(message)
        case .reading(let read): return takeBlock(message, read)
        case .canceling(let crossing): return takeLast(message, crossing)
        case .greeting, .idle, .finishing, .closed: return .none
        }
    }

    private mutating func takeAnswer(_ message: Message, to request: HostRequest) -> HostStep {
        switch request {
        case .write(let length): return takeWriteReady(message, length: length)
        case .read(let offset, let length):
            return takeReadReady(message, offset: offset, length: length)
        case .list(let listing): return takeEntry(message, listing)
        case .echo(let byteCount):
            guard message == .echoed(byteCount: byteCount) else { return unexpected(message) }
        case .simple(let answer):
            guard message.type == answer else { return unexpected(message) }
        }
        state = .idle
        return .answered(message)
    }

    private mutating func takeWriteReady(_ message: Message, length: UInt64) -> HostStep {
        guard case .writeReady(let ready) = message, let terms else { return unexpected(message) }
        guard ready.offset <= length else { return violation(.malformed) }
        let write = HostWrite(length: length, offset: ready.offset, terms: terms)
        state = ready.isComplete ? .idle : .writing(write)
        return .answered(message)
    }

    private mutating func takeReadReady(
        _ message: Message, offset: UInt64, length: UInt64
    ) -> HostStep {
        guard case .readReady(let ready) = message, let terms else { return unexpected(message) }
        guard ready.offset == offset, offset <= ready.size else { return violation(.malformed) }
        let end = offset + min(length, ready.size - offset)
        state = .reading(HostRead(offset: offset, end: end, terms: terms))
        return .answered(message)
    }

    private mutating func takeEntry(_ message: Message, _ listing: HostListing) -> HostStep {
        var listing = listing
        if case .entry(let entry) = message {
            guard listing.took(entry) else { return violation(.malformed) }
            state = .asked(.list(listing))
        } else if case .listed(let more) = message {
            guard listing.mayEnd(more: more) else { return violation(.malformed) }
            state = .idle
        } else {
            return unexpected(message)
        }
        return .answered(message)
    }

    private mutating func takeAcknowledgement(
        _ message: Message, _ write: HostWrite
    ) -> HostStep {
        guard case .acknowledge(let offset) = message else { return unexpected(message) }
        guard offset <= write.sentOffset else { return violation(.malformed) }
        guard offset > write.durableOffset else { return .none }
        var write = write
        write.acknowledged(offset)
        state = .writing(write)
        return .durable(offset)
    }

    private mutating func takeCommitted(_ message: Message) -> HostStep {
        // One that repeats the length may still have been on its way.
        if case .acknowledge = message { return .none }
        guard case .committed = message else { return unexpected(message) }
        return finishRequest(with: message)
    }

    private mutating func takeBlock(_ message: Message, _ read: HostRead) -> HostStep {
        if case .block(let header) = message {
            guard read.accepts(header) else { return violation(.malformed) }
            var read = read
            read.received(header)
            state = .reading(read)
            return .store(header)
        }
        guard case .readEnd(let end) = message else { return unexpected(message) }
        guard read.isComplete, end.end == read.end else { return violation(.malformed) }
        return finishRequest(with: message)
    }

    /// After CANCEL everything but the request's last frame is skipped (BTP-067).
    private mutating func takeLast(_ message: Message, _ crossing: FrameType?) -> HostStep {
        guard message.type == .canceled || message.type == crossing else { return .none }
        if case .writeReady(let ready) = message, !ready.isComplete { return .none }
        return finishRequest(with: message)
    }

    private mutating func finishRequest(with message: Message) -> HostStep {
        if case .committed(let committed) = message, let announcedDigest {
            guard committed.digest == announcedDigest else { return violation(.malformed) }
        }
        state = .idle
        return .answered(message)
    }

    private mutating func unexpected(_ message: Message) -> HostStep {
        violation(.unexpectedFrame(type: message.type.rawValue))
    }
}

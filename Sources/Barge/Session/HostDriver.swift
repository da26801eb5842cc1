import BargeCoding
import BargeProtocol
import Bluetooth

/// Runs the host's half of a session on a pipe: frames in and out, patience, FIN.
///
/// One task drives it. It waits in one place, ``turn(wantsRoom:)``, for whatever comes first:
/// a step of the session, room for more, or the end of its patience.
final class HostDriver {
    private(set) var session: HostSession
    private var pipe: any Pipe
    private var parser = FrameParser()
    private var incoming = ByteQueue()
    private var outgoing = ByteQueue()
    private var lastSign: LinkInstant
    private let patienceMicroseconds: UInt64
    /// When waiting ends whatever still comes; nil where each frame renews patience (BTP-047).
    private var lastCall: LinkInstant?
    private let trace: Trace
    /// Set once the device has broken the protocol.
    private var hasLastWord = false
    /// The body of the frame that the last step came from: a block's or an ECHO's bytes.
    private(set) var body: [UInt8] = []
    /// All bytes that the pipe took.
    private(set) var sentBytes: UInt64 = 0
    /// All bytes that the pipe brought.
    private(set) var receivedBytes: UInt64 = 0

    /// What a turn ended with.
    enum Turn {
        /// The session has something to say.
        case step(HostStep)
        /// There is room for more to send.
        case room
    }

    init(pipe: any Pipe, hello: Hello, patienceMicroseconds: UInt64, trace: Trace) {
        self.pipe = pipe
        self.trace = trace
        session = HostSession(hello: hello)
        lastSign = pipe.now
        self.patienceMicroseconds = patienceMicroseconds
    }

    var now: LinkInstant { pipe.now }
    var route: Route { pipe.route }
    var parameters: LinkParameters { pipe.parameters }
    var ceilingBytesPerSecond: Double? { pipe.ceilingBytesPerSecond }

    // MARK: The session's course

    /// Exchanges HELLOs.
    func greet() async throws(BargeError) -> Hello {
        send(session.greeting, tag: 0)
        lastCall = endOfWaiting
        defer { lastCall = nil }
        while true {
            if case .greeted(let hello) = try await nextStep(while: "saying hello") { return hello }
        }
    }

    /// Sends a request that is answered with one frame, and returns that.
    func request(_ request: Message, while action: String) async throws(BargeError) -> Message {
        begin(request)
        return try await nextAnswer(while: action)
    }

    /// Opens a request.
    func begin(_ request: Message) {
        let message = session.begin(request)
        send(message, tag: session.openTag)
        lastSign = pipe.now
    }

    /// COMMIT; the answer follows.
    func commit() {
        send(session.commit(), tag: session.openTag)
        lastSign = pipe.now
    }

    /// Tells the device that everything below `offset` is stored here, where that is due; true
    /// where it was.
    func stored(upTo offset: UInt64) -> Bool {
        let tag = session.openTag
        guard let acknowledgement = session.stored(upTo: offset) else { return false }
        send(acknowledgement, tag: tag)
        return true
    }

    /// The next block that may be sent now.
    func nextBlock() -> BlockPlan? { session.nextBlock() }

    /// Appends a block's frame through `body`.
    func sendBlock(_ plan: BlockPlan, _ body: (inout [UInt8], _ tag: UInt8) -> Void) {
        let tag = session.openTag
        let before = outgoing.count
        outgoing.append { body(&$0, tag) }
        trace.sentBlock(plan, bytes: outgoing.count - before, tag: tag, at: pipe.now)
    }

    /// Gives the open request up and waits until the device knows.
    func cancelRequest() async throws(BargeError) {
        let tag = session.openTag
        guard let message = session.cancel() else { return }
        send(message, tag: tag)
        lastCall = endOfWaiting
        defer { lastCall = nil }
        while !session.isIdle {
            _ = try await nextStep(while: "giving the transfer up", acceptsErrors: true)
        }
    }

    /// FIN, its answer, and the pipe's end (BTP-048). A link that is lost meanwhile is no matter:
    /// all that counted is done.
    func finish() async {
        if session.isIdle {
            send(session.finish(), tag: 0)
            lastCall = endOfWaiting
            while !session.isOver, (try? await nextStep(while: "saying goodbye")) != nil {}
        }
        await pipe.close()
    }

    /// Lets go of the pipe without a word, but for the error that a device which broke the protocol
    /// is to hear.
    func abandon() async {
        if hasLastWord { await sayLastWord() }
        await pipe.close()
    }

    /// What was ready before the error goes first, and a pipe that is closed at once forgets what
    /// it took: so the device's end of it is awaited, for a while.
    private func sayLastWord() async {
        let deadline = pipe.now.advanced(microseconds: Self.lastWordMicroseconds)
        var rest: [UInt8] = []
        do throws(BluetoothError) {
            while pipe.now < deadline {
                try flush(isLast: true)
                // One that floods the pipe keeps nobody beyond the deadline.
                while pipe.now < deadline,
                    try pipe.read(into: &rest, maximumBytes: Self.readBytes) > 0
                {
                    rest.removeAll(keepingCapacity: true)
                }
                let interest: Interest = outgoing.isEmpty ? .reading : [.reading, .writing]
                _ = try await pipe.waitUntilReady(for: interest, until: deadline)
            }
        } catch {
            // The device has closed, or is gone.
        }
    }

    /// Frames that a session skips come to an end as well: a device that sends nothing else could
    /// else keep us for ever. What is under way of a canceled read fits in between on any link.
    private var endOfWaiting: LinkInstant {
        pipe.now.advanced(microseconds: 12 * patienceMicroseconds)
    }

    // MARK: Turns

    /// The next frame of the open request's answer; BUSY is handed to `busy`.
    func nextAnswer(
        while action: String, busy: (BusyReport) -> Void = { _ in }
    ) async throws(BargeError) -> Message {
        while true {
            switch try await nextStep(while: action) {
            case .answered(let message): return message
            case .busy(let report): busy(report)
            case .none, .greeted, .durable, .store, .failed, .finished, .violated: continue
            }
        }
    }

    /// The next thing that the session says. Errors are thrown.
    func nextStep(
        while action: String, acceptsErrors: Bool = false
    ) async throws(BargeError) -> HostStep {
        while true {
            guard case .step(let step) = try await turn(wantsRoom: false, while: action) else {
                continue
            }
            if case .failed(let error) = step, !(acceptsErrors && session.isIdle) {
                throw BargeError(error, while: action)
            }
            return step
        }
    }

    /// Moves bytes until the session has something to say, or there is room for more to send. A
    /// device that breaks the protocol is an error.
    func turn(wantsRoom: Bool, while action: String) async throws(BargeError) -> Turn {
        let turn = try await nextTurn(wantsRoom: wantsRoom, while: action)
        if case .step(.violated(let fault)) = turn { throw BargeError(fault) }
        return turn
    }

    private func nextTurn(wantsRoom: Bool, while action: String) async throws(BargeError) -> Turn {
        do throws(BluetoothError) {
            while true {
                try flush(isLast: !wantsRoom)
                if let step = try takeStep() { return .step(step) }
                if wantsRoom, outgoing.count < Self.outgoingBound { return .room }
                let interest: Interest = outgoing.isEmpty ? .reading : [.reading, .writing]
                let patience = lastSign.advanced(microseconds: patienceMicroseconds)
                let deadline = min(patience, lastCall ?? patience)
                guard pipe.now < deadline,
                    try await pipe.waitUntilReady(for: interest, until: deadline) == .ready
                else { throw .timedOut("no answer for \(patienceMicroseconds / 1_000_000) s") }
            }
        } catch {
            throw BargeError(error, while: action)
        }
    }

    /// The next step that whole frames lead to; nil where the pipe has brought no more of them.
    private func takeStep() throws(BluetoothError) -> HostStep? {
        while true {
            if let step = takeFrames() { return step }
            let count = try incoming.append { (buffer) throws(BluetoothError) in
                try pipe.read(into: &buffer, maximumBytes: Self.readBytes)
            }
            guard count > 0 else { return nil }
            receivedBytes += UInt64(count)
        }
    }

    /// A violation ends the session: the device is told, as far as it still listens.
    private func takeFrames() -> HostStep? {
        do throws(ProtocolFault) {
            while let layout = try nextFrame() {
                body = incoming.withBytes { Array($0[layout.body]) }
                incoming.drop(layout.totalBytes)
                lastSign = pipe.now
                guard
                    let message = try Message.decode(type: layout.type, body: body.span.bytes)
                else { continue }
                trace.received(message, tag: layout.tag, at: pipe.now)
                let step = session.handle(tag: layout.tag, message: message)
                if session.terms != nil { parser.maximumBodyBytes = Int(session.hello.bodyBytes) }
                if case .violated(let fault) = step { refuse(fault) }
                if step != .none { return step }
            }
            return nil
        } catch {
            refuse(error)
            return session.violation(error)
        }
    }

    private func refuse(_ fault: ProtocolFault) {
        send(.error(fault.error), tag: 0)
        hasLastWord = true
        // The pipe may be gone already; the fault is what counts.
        try? flush(isLast: true)
    }

    private func nextFrame() throws(ProtocolFault) -> FrameLayout? {
        let parsed = try incoming.withBytes { (bytes) throws(ProtocolFault) in
            try parser.next(in: bytes.bytes)
        }
        switch parsed {
        case .incomplete: return nil
        case .frame(let layout): return layout
        }
    }

    private func send(_ message: Message, tag: UInt8) {
        trace.sent(message, tag: tag, at: pipe.now)
        outgoing.append { message.encode(tag: tag, into: &$0) }
    }

    /// Hands over what waits: full pieces while more is to come, everything at the end.
    private func flush(isLast: Bool) throws(BluetoothError) {
        while !outgoing.isEmpty {
            let piece = pipe.efficientWriteBytes
            guard isLast || outgoing.count >= piece else { return }
            let taken = try outgoing.withBytes { (bytes) throws(BluetoothError) in
                let whole = isLast ? bytes.count : bytes.count / piece * piece
                return try pipe.write(UnsafeRawBufferPointer(rebasing: bytes[..<whole]))
            }
            guard taken > 0 else { return }
            outgoing.drop(taken)
            sentBytes += UInt64(taken)
            lastSign = pipe.now
        }
    }

    /// No more is made ready to send while so much waits.
    private static var outgoingBound: Int { 64 * 1024 }
    /// How long a device that broke the protocol may take to hear so.
    private static var lastWordMicroseconds: UInt64 { 1_000_000 }
    /// What is read from the pipe at once.
    private static var readBytes: Int { 64 * 1024 }
}

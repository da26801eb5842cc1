/// One side of the GATT pipe: a byte stream in values that may get lost, with credits of its own
/// (BTP-020 to BTP-028). It holds no bytes.
///
/// Outputs are drained in this order: ``nextControl()``, then, while ``canSendData`` holds, data
/// values that begin with ``nextDataHeader()``. Extra calls are harmless. When the link goes, so
/// does the pipe: the next link gets a new one.
///
/// ```
///  host:    closed ──open()──▶ opening ──OPENED──▶ open ──gap, BROKEN──▶ broken ──open()──▶ …
///  device:  closed ──OPEN──▶ open ──gap, BROKEN──▶ broken ──OPEN──▶ open
/// ```
/// Invariants: `sent ≤ peerLimit`; `received ≤ ownLimit ≤ consumed + maximumCredit`.
public struct GATTPipe: Equatable, Sendable {
    /// Which side this is.
    public enum Role: Equatable, Sendable {
        /// It opens the pipe.
        case host
        /// It answers.
        case device
    }

    private enum State: Equatable, Sendable {
        case closed
        case opening
        case open
        case broken
    }

    /// The most values that may be on the way (BTP-022).
    public static let maximumCredit: UInt32 = 64
    /// The longest value, as ATT has it: Core 6.0, Vol 3, Part F, 3.2.9.
    public static let maximumValueBytes = 512
    /// How long to wait for credit or an answer before PROBE (BTP-026), in ms.
    public static let probeIntervalMilliseconds = 1_000
    static let version: UInt8 = 1

    private let role: Role
    private let creditValues: UInt32
    private var state: State = .closed
    private var sender = GATTSender(limit: 0)
    private var receiver: GATTReceiver
    private var pending: Pending = .nothing
    private var brokenReason: GATTPipeBreak = .gap

    /// Control values that wait to be sent: one bit each, since a later one replaces an earlier.
    private struct Pending: Equatable, Sendable {
        private(set) var rawValue: UInt8
        static let nothing = Pending(rawValue: 0)
        static let open = Pending(rawValue: 1)
        static let opened = Pending(rawValue: 2)
        static let credit = Pending(rawValue: 4)
        static let probe = Pending(rawValue: 8)
        static let broken = Pending(rawValue: 16)

        mutating func insert(_ flag: Pending) { rawValue |= flag.rawValue }

        mutating func remove(_ flag: Pending) -> Bool {
            defer { rawValue &= ~flag.rawValue }
            return rawValue & flag.rawValue != 0
        }
    }

    /// A closed pipe. `creditValues` is how many values this side lets be on the way to it.
    public init(role: Role, creditValues: UInt32 = 32) {
        precondition((1...Self.maximumCredit).contains(creditValues), "1...64 values")
        self.role = role
        self.creditValues = creditValues
        receiver = GATTReceiver(creditValues: creditValues)
    }

    // MARK: Getters

    /// True between OPEN and OPENED on one hand and a break on the other.
    public var isOpen: Bool { state == .open }

    /// True where a data value may be sent now.
    public var canSendData: Bool { state == .open && sender.maySend }

    // MARK: Commands

    /// The host opens, or opens anew (BTP-020).
    public mutating func open() {
        precondition(role == .host, "the host opens")
        // A device that was not told of the break would take OPEN for a repeated one (BTP-028).
        let owesBreak = pending.remove(.broken)
        restart(as: .opening, peerLimit: 0)
        if owesBreak { pending.insert(.broken) }
        pending.insert(.open)
    }

    /// The consumer has taken `count` data values' bytes.
    public mutating func consumed(values count: UInt32) {
        if receiver.consume(count), state == .open { pending.insert(.credit) }
    }

    /// A second has passed without credit or answer (BTP-026).
    public mutating func stalled() {
        switch state {
        case .open: pending.insert(.probe)
        case .opening: pending.insert(.open)
        case .closed, .broken: break
        }
    }

    // MARK: Outputs

    /// The next control value to send; nil where there is none.
    public mutating func nextControl() -> GATTControl? {
        if pending.remove(.broken) { return .broken(brokenReason) }
        if pending.remove(.open) { return .open(limit: receiver.limit) }
        if pending.remove(.opened) { return .opened(limit: receiver.limit) }
        if pending.remove(.credit) { return .credit(limit: receiver.limit) }
        if pending.remove(.probe) { return .probe(sent: sender.sentValues) }
        return nil
    }

    /// The stack did not take the control value after all; it comes again, unless a later one
    /// replaced it.
    public mutating func controlNotTaken(_ control: GATTControl) {
        switch control {
        case .open: pending.insert(.open)
        case .opened: pending.insert(.opened)
        case .credit: pending.insert(.credit)
        case .probe: pending.insert(.probe)
        case .broken: pending.insert(.broken)
        }
    }

    /// The first byte of the next data value, which counts as sent.
    /// - Precondition: ``canSendData``.
    public mutating func nextDataHeader() -> UInt8 {
        precondition(canSendData, "no credit (BTP-022)")
        return sender.next()
    }

    /// The last header was not taken by the stack after all; the same one comes again. To be
    /// called before the next value from the peer is handled.
    public mutating func dataNotTaken() { sender.takeBack() }

    // MARK: From the peer

    /// Takes one value. Of `.data` everything behind the first byte is stream.
    public mutating func handle(_ value: RawSpan) -> GATTPipeStep {
        guard (1...Self.maximumValueBytes).contains(value.byteCount) else { return malformed() }
        let first = value.byte(at: 0)
        guard first & 0x80 != 0 else { return takeData(first, value) }
        guard let control = GATTControl(value) else { return malformed() }
        return take(control)
    }
}

extension GATTPipe {
    private mutating func restart(as state: State, peerLimit: UInt32) {
        self.state = state
        sender = GATTSender(limit: peerLimit)
        receiver = GATTReceiver(creditValues: creditValues)
        pending = .nothing
    }

    private mutating func fail(_ reason: GATTPipeBreak) -> GATTPipeStep {
        state = .broken
        brokenReason = reason
        pending = .broken
        return .broken(reason)
    }

    /// What cannot be read breaks an open pipe, and means nothing to another (BTP-025).
    private mutating func malformed() -> GATTPipeStep { isOpen ? fail(.malformed) : .none }

    private mutating func takeData(_ first: UInt8, _ value: RawSpan) -> GATTPipeStep {
        guard state == .open else { return .none }
        guard value.byteCount > 1 else { return fail(.malformed) }
        if let reason = receiver.take(first) { return fail(reason) }
        return .data
    }

    private mutating func take(_ control: GATTControl) -> GATTPipeStep {
        switch control {
        case .open(let limit): return takeOpen(limit)
        case .opened(let limit):
            guard state == .opening else { return .none }
            guard limit <= Self.maximumCredit else { return fail(.malformed) }
            state = .open
            _ = pending.remove(.open)
            sender = GATTSender(limit: limit)
            return .opened
        case .credit(let limit):
            guard state == .open else { return .none }
            switch sender.raise(to: limit) {
            case .raised: return .writable
            case .ignored: return .none
            case .excessive: return fail(.malformed)
            }
        case .probe(let sent): return takeProbe(sent)
        case .broken(let reason):
            guard state == .open else { return .none }
            state = .broken
            brokenReason = reason
            pending = .nothing
            return .broken(reason)
        }
    }

    private mutating func takeOpen(_ limit: UInt32) -> GATTPipeStep {
        guard role == .device else { return .none }
        guard limit <= Self.maximumCredit else { return fail(.malformed) }
        if state == .open, receiver.receivedValues == 0 {
            // BTP-028: the host asked again before the answer reached it. Should the answer be
            // lost, and data with it, the count says so.
            pending.insert(.opened)
            pending.insert(.probe)
            return .none
        }
        restart(as: .open, peerLimit: limit)
        pending = .opened
        return .opened
    }

    private mutating func takeProbe(_ sent: UInt32) -> GATTPipeStep {
        switch state {
        case .open:
            guard !receiver.misses(sent: sent) else { return fail(.gap) }
            pending.insert(.credit)
        case .closed, .broken: pending.insert(.broken)
        case .opening: break
        }
        return .none
    }
}

/// Why a GATT pipe broke.
public enum GATTPipeBreak: UInt8, Sendable {
    /// A value is missing.
    case gap = 1
    /// A value beyond the limit.
    case overLimit = 2
    /// A value that is not as drawn.
    case malformed = 3
}

/// What a value from the peer means.
public enum GATTPipeStep: Equatable, Sendable {
    /// Nothing to do but to drain the outputs.
    case none
    /// Everything behind the first byte is stream.
    case data
    /// The pipe is open, with nothing in it; what a device had in an earlier one is gone.
    case opened
    /// There is credit again.
    case writable
    /// The pipe is lost.
    case broken(GATTPipeBreak)
}

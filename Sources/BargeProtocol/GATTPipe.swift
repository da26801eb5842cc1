/// One side of the GATT pipe: a byte stream in values that may get lost, with credits of its own
/// (BTP-020 to BTP-026). It holds no bytes.
///
/// Outputs are drained in this order: ``nextControl()``, then, while ``canSendData`` holds, data
/// values that begin with ``nextDataHeader()``. Extra calls are harmless.
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
    /// How long to wait for credit or an answer before PROBE (BTP-026), in ms.
    public static let probeIntervalMilliseconds = 1_000
    static let version: UInt8 = 1

    private let role: Role
    private let creditValues: UInt32
    private var state: State = .closed
    private var sentValues: UInt32 = 0
    private var peerLimit: UInt32 = 0
    private var receivedValues: UInt32 = 0
    private var consumedValues: UInt32 = 0
    private var ownLimit: UInt32 = 0
    private var pending: Pending = .nothing

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

    private var brokenReason: GATTPipeBreak = .gap

    /// A closed pipe. `creditValues` is how many values this side lets be on the way to it.
    public init(role: Role, creditValues: UInt32 = 32) {
        precondition((1...Self.maximumCredit).contains(creditValues), "1...64 values")
        self.role = role
        self.creditValues = creditValues
    }

    // MARK: Getters

    /// True between OPEN and OPENED on one hand and a break on the other.
    public var isOpen: Bool { state == .open }

    /// True where a data value may be sent now.
    public var canSendData: Bool { state == .open && sentValues < peerLimit }

    // MARK: Commands

    /// The host opens, or opens anew (BTP-020).
    public mutating func open() {
        precondition(role == .host, "the host opens")
        reset(to: .opening)
        pending = .open
    }

    /// The consumer has taken `count` data values' bytes.
    public mutating func consumed(values count: UInt32) {
        consumedValues = min(consumedValues + count, receivedValues)
        let target = consumedValues + creditValues
        if state == .open, target - ownLimit >= max(1, creditValues / 2) {
            ownLimit = target
            pending.insert(.credit)
        }
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
        if take(.broken) { return .broken(brokenReason) }
        if take(.open) { return .open(limit: ownLimit) }
        if take(.opened) { return .opened(limit: ownLimit) }
        if take(.credit) { return .credit(limit: ownLimit) }
        if take(.probe) { return .probe(sent: sentValues) }
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
        defer { sentValues += 1 }
        return UInt8(truncatingIfNeeded: sentValues & 0x7F)
    }

    /// The last header was not taken by the stack after all; the same one comes again.
    public mutating func dataNotTaken() {
        precondition(sentValues > 0, "nothing was sent")
        sentValues -= 1
    }

    // MARK: From the peer

    /// Takes one value. Of `.data` everything behind the first byte is stream.
    public mutating func handle(_ value: RawSpan) -> GATTPipeStep {
        guard value.byteCount > 0 else { return isOpen ? fail(.malformed) : .none }
        let first = value.byte(at: 0)
        guard first & 0x80 != 0 else { return takeData(first, value) }
        guard let control = GATTControl(value) else { return isOpen ? fail(.malformed) : .none }
        return take(control)
    }
}

extension GATTPipe {
    private mutating func reset(to state: State) {
        self.state = state
        sentValues = 0
        peerLimit = 0
        receivedValues = 0
        consumedValues = 0
        ownLimit = creditValues
        pending = .nothing
    }

    private mutating func take(_ flag: Pending) -> Bool { pending.remove(flag) }

    private mutating func fail(_ reason: GATTPipeBreak) -> GATTPipeStep {
        state = .broken
        brokenReason = reason
        pending = .broken
        return .broken(reason)
    }

    private mutating func takeData(_ first: UInt8, _ value: RawSpan) -> GATTPipeStep {
        guard state == .open else { return .none }
        guard value.byteCount > 1 else { return fail(.malformed) }
        guard first == UInt8(truncatingIfNeeded: receivedValues & 0x7F) else { return fail(.gap) }
        guard receivedValues < ownLimit else { return fail(.overLimit) }
        receivedValues += 1
        return .data
    }

    private mutating func take(_ control: GATTControl) -> GATTPipeStep {
        switch control {
        case .open(let limit):
            guard role == .device else { return .none }
            reset(to: .open)
            peerLimit = min(limit, Self.maximumCredit)
            pending = .opened
            return .opened
        case .opened(let limit):
            guard state == .opening else { return .none }
            state = .open
            _ = pending.remove(.open)
            peerLimit = min(limit, Self.maximumCredit)
            return .opened
        case .credit(let limit):
            guard state == .open, limit > peerLimit else { return .none }
            guard limit - sentValues <= Self.maximumCredit else { return fail(.malformed) }
            peerLimit = limit
            return .writable
        case .probe(let sent):
            guard state == .open else { return .none }
            guard sent <= receivedValues else { return fail(.gap) }
            pending.insert(.credit)
            return .none
        case .broken(let reason):
            guard state != .closed, state != .broken else { return .none }
            state = .broken
            pending = .nothing
            return .broken(reason)
        }
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

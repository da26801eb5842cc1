public import Bluetooth
import Synchronization

/// How virtual time passes for tasks that wait.
public enum Pace: String, Hashable, Sendable, CaseIterable {
    /// As fast as this computer goes: a minute of air takes milliseconds.
    case max
    /// As fast as the clock on the wall.
    case realtime
}

/// A world behind a lock, for tasks: whoever waits drives it on.
///
/// With one task at work the order of events depends on nothing but its calls, so that equal
/// seeds give equal traces. Several tasks interleave as the scheduler has it; a task whose wait is
/// over goes before others drive on.
public final class SimulatedRadio: @unchecked Sendable {
    // Unchecked: `world`, `waiters` and `nextTicket` are touched under `lock` alone.
    private let lock = Mutex<Void>(())
    private let world: SimulatedWorld
    private var waiters: [UInt64: WaitCondition] = [:]
    private var nextTicket: UInt64 = 0
    private let startOnWall: ContinuousClock.Instant
    private let startInWorld: LinkInstant

    /// How virtual time passes.
    public let pace: Pace

    /// Takes a world over: from here on it is reached through ``withWorld(_:)`` only.
    public init(world: sending SimulatedWorld, pace: Pace = .max) {
        startInWorld = world.now
        startOnWall = ContinuousClock.now
        self.world = world
        self.pace = pace
    }

    /// The role that scans and connects.
    public var central: SimulatedCentral { SimulatedCentral(radio: self) }

    /// Time on the simulated air since the world began, in µs.
    public var linkMicroseconds: UInt64 { now.microseconds }

    /// The moment that the world has reached.
    public var now: LinkInstant { withWorld { $0.now } }

    /// Does something with the world while nobody else can. The world must not leave `body`, and
    /// `body` must not wait for this radio.
    public func withWorld<Value: Sendable, Failure: Error>(
        _ body: (SimulatedWorld) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        try lock.withLock { _ throws(Failure) -> Value in
            if pace == .realtime { world.run(until: wallInstant) }
            return try body(world)
        }
    }

    /// Where the clock on the wall stands, in the world's time.
    private var wallInstant: LinkInstant {
        let passed = (ContinuousClock.now - startOnWall).components
        let microseconds = passed.seconds * 1_000_000 + passed.attoseconds / 1_000_000_000_000
        return startInWorld.advanced(microseconds: UInt64(max(0, microseconds)))
    }

    // MARK: Waiting

    /// Drives the world until `condition` holds, and answers true then; false at the deadline.
    func wait(
        for condition: WaitCondition, until deadline: LinkInstant
    ) async throws(BluetoothError) -> Bool {
        if withWorld({ condition.holds(in: $0) }) { return true }
        let ticket = enroll(condition)
        defer { dismiss(ticket) }
        var patience = Patience()
        while true {
            if Task.isCancelled { throw .canceled }
            switch advance(ticket, condition, until: deadline, &patience) {
            case .holds: return true
            case .deadlinePassed: return false
            case .letOthersRun: await Task.yield()
            case .sleep(let duration): try? await Task.sleep(for: duration)
            }
        }
    }

    private func enroll(_ condition: WaitCondition) -> UInt64 {
        lock.withLock { _ in
            nextTicket += 1
            waiters[nextTicket] = condition
            return nextTicket
        }
    }

    private func dismiss(_ ticket: UInt64) {
        lock.withLock { _ in waiters[ticket] = nil }
    }

    /// What a waiting task does next.
    private enum Turn {
        case holds
        case deadlinePassed
        case letOthersRun
        case sleep(Duration)
    }

    /// How often a waiter still stands back for others, so that one that never comes back for
    /// what it waited for cannot stop the world.
    private struct Patience {
        var forReadyWaiters = 10_000
        var beforeIdleJump = 4
    }

    private func advance(
        _ ticket: UInt64, _ condition: WaitCondition, until deadline: LinkInstant,
        _ patience: inout Patience
    ) -> Turn {
        lock.withLock { _ in
            let limit = pace == .realtime ? min(deadline, wallInstant) : deadline
            for _ in 0..<Self.stepsPerTurn {
                if condition.holds(in: world) { return .holds }
                if patience.forReadyWaiters > 0, isAnotherReady(than: ticket) {
                    patience.forReadyWaiters -= 1
                    return .letOthersRun
                }
                guard let next = world.nextEvent, next <= limit else {
                    return idle(condition, until: deadline, limit, &patience)
                }
                world.step()
            }
            return .letOthersRun
        }
    }

    /// Nothing happens up to the limit.
    private func idle(
        _ condition: WaitCondition, until deadline: LinkInstant, _ limit: LinkInstant,
        _ patience: inout Patience
    ) -> Turn {
        if limit < deadline {
            world.run(until: limit)
            let next = min(deadline, world.nextEvent ?? deadline)
            let pause = min(next.microseconds(since: limit), Self.longestPauseMicroseconds)
            return .sleep(.microseconds(Int64(max(pause, Self.shortestPauseMicroseconds))))
        }
        if pace == .max, patience.beforeIdleJump > 0 {
            // Another task may be about to give the world something to do.
            patience.beforeIdleJump -= 1
            return .letOthersRun
        }
        world.run(until: deadline)
        return condition.holds(in: world) ? .holds : .deadlinePassed
    }

    private func isAnotherReady(than ticket: UInt64) -> Bool {
        // On the wall's clock nobody can drive on ahead of the others.
        guard pace == .max, waiters.count > 1 else { return false }
        return waiters.contains { $0.key != ticket && $0.value.holds(in: world) }
    }

    /// So many events run before other tasks get their turn.
    private static let stepsPerTurn = 64
    /// Another task may plan something sooner than what is known now.
    private static let longestPauseMicroseconds: UInt64 = 20_000
    private static let shortestPauseMicroseconds: UInt64 = 500
}

/// What a task waits for: a value, so that it can be looked at by whoever drives the world.
enum WaitCondition: Sendable {
    case never
    case operation(UInt64)
    case scan(UInt64)
    case adapterPowered
    case lost(ConnectionID)
    case connection(ConnectionID, Interest)
    case channel(ChannelID, Interest)

    func holds(in world: SimulatedWorld) -> Bool {
        switch self {
        case .never: false
        case .operation(let number): world.outcome(of: number) != nil
        case .scan(let number): world.hasHeard(number) || !world.isAdapterPowered
        case .adapterPowered: world.isAdapterPowered
        case .lost(let connection): world.lossReason(of: connection) != nil
        case .connection(let connection, let interest): world.isReady(connection, for: interest)
        case .channel(let channel, let interest): world.isReady(channel, for: interest)
        }
    }
}

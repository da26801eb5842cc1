public import Bluetooth
import Synchronization

/// How virtual time passes for tasks that wait.
public enum Pace: String, Hashable, Sendable, CaseIterable {
    /// As fast as this computer goes: a minute of air takes milliseconds.
    case max
    /// As fast as the clock on the wall.
    case realtime
}

/// A world behind a lock, for tasks: one of those that wait drives it on.
///
/// With one task at work the order of events depends on nothing but its calls, so that equal
/// seeds give equal traces. Several tasks interleave as the scheduler has it; a task whose wait is
/// over goes before the world is driven on. Tasks that only look on, for the loss of a link or for
/// the adapter, let no time pass: where nobody else waits, the world stands still.
public final class SimulatedRadio: Sendable {
    /// All that the lock guards.
    struct State: Sendable {
        // The world is no more Sendable than any class with state; being in here, it is reached
        // under the lock alone.
        nonisolated(unsafe) let world: SimulatedWorld
        var waiters: Waiters
        /// How many want the world to stand still.
        var stillness = 0
    }

    private let state: Mutex<State>
    private let leftovers = Mutex<[Leftover]>([])
    private let startOnWall: ContinuousClock.Instant
    private let startInWorld: LinkInstant

    /// How virtual time passes.
    public let pace: Pace

    /// Takes a world over: from here on it is reached through ``withWorld(_:)`` only.
    public init(world: sending SimulatedWorld, pace: Pace = .max) {
        startInWorld = world.now
        startOnWall = ContinuousClock.now
        state = Mutex(
            State(world: world, waiters: Waiters(passiveMayLead: pace == .realtime)))
        self.pace = pace
    }

    /// The role that scans and connects.
    public var central: SimulatedCentral { SimulatedCentral(radio: self) }

    /// Time on the simulated air since the world began, in µs.
    public var linkMicroseconds: UInt64 { now.microseconds }

    /// The moment that the world has reached.
    public var now: LinkInstant { withWorld { $0.now } }

    /// How many tasks wait.
    var waiterCount: Int { withState { $0.waiters.count } }

    /// Does something with the world while nobody else can. The world must not leave `body`, and
    /// `body` must not wait for this radio.
    public func withWorld<Value: Sendable, Failure: Error>(
        _ body: (SimulatedWorld) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        let result: Result<Value, Failure> = withState { state in
            if pace == .realtime { state.world.run(until: wallInstant) }
            defer { state.settle() }
            do throws(Failure) {
                return .success(try body(state.world))
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    /// Takes something that nobody holds any more, from wherever that is found out.
    func leave(_ leftover: Leftover) { leftovers.withLock { $0.append(leftover) } }

    /// Does something under the lock. Whoever's wait that ends is resumed when the lock is open
    /// again: a task that is resumed may take it at once.
    private func withState<Value: Sendable>(_ body: (inout State) -> Value) -> Value {
        let (value, due) = state.withLock { state in
            let leftovers = leftovers.withLock { leftovers in
                defer { leftovers = [] }
                return leftovers
            }
            leftovers.forEach(state.world.letGo)
            let value = body(&state)
            return (value, state.waiters.takeDue())
        }
        for sleeper in due { sleeper.wake() }
        return value
    }

    /// Where the clock on the wall stands, in the world's time.
    private var wallInstant: LinkInstant {
        let passed = (ContinuousClock.now - startOnWall).components
        let microseconds = passed.seconds * 1_000_000 + passed.attoseconds / 1_000_000_000_000
        return startInWorld.advanced(microseconds: UInt64(max(0, microseconds)))
    }

    /// Has the world stand still until `body` is through, whoever waits for it: somebody outside
    /// it is at work, and virtual time would not wait. With ``Pace/realtime`` it goes on.
    public func standingStill<Value: Sendable>(
        _ body: @Sendable () async -> Value
    ) async -> Value {
        withState { $0.stillness += 1 }
        defer { withState { $0.stillness -= 1 } }
        return await body()
    }

    /// After so long the leader looks whether the world still stands still.
    private static let glance = Duration.milliseconds(5)

    // MARK: Waiting

    /// Waits until `condition` holds, and answers true then; false at the deadline. The world is
    /// driven by this task or by another one that waits.
    func wait(
        for condition: WaitCondition, until deadline: LinkInstant
    ) async throws(BluetoothError) -> Bool {
        let sleeper = Sleeper()
        guard let ticket = enroll(condition, until: deadline, sleeper) else { return true }
        let verdict = await attend(ticket, sleeper)
        withState { $0.waiters.leave(ticket) }
        switch verdict {
        case .holds: return true
        case .deadlinePassed: return false
        case nil: throw .canceled
        }
    }

    /// Nil where the condition holds already.
    private func enroll(
        _ condition: WaitCondition, until deadline: LinkInstant, _ sleeper: Sleeper
    ) -> UInt64? {
        let task = withUnsafeCurrentTask { $0?.hashValue ?? 0 }
        return withState { state in
            if pace == .realtime { state.world.run(until: wallInstant) }
            state.settle()
            if condition.holds(in: state.world) { return nil }
            let link = condition.link(in: state.world)
            return state.waiters.enroll(
                condition, until: deadline, link: link, task: task, sleeper: sleeper)
        }
    }

    /// Drives the world while the lead is this task's, and sleeps while it is another one's. Nil
    /// where the task is canceled first.
    private func attend(_ ticket: UInt64, _ sleeper: Sleeper) async -> Waiters.Verdict? {
        var patience = Patience()
        while !Task.isCancelled {
            switch turn(ticket, &patience) {
            case .over(let verdict): return verdict
            case .letOthersRun: await Task.yield()
            case .sleep(let duration): try? await Task.sleep(for: duration)
            case .follow: await follow(sleeper)
            }
        }
        return nil
    }

    /// Sleeps until it is woken, or the task is canceled. The handler stands around this alone:
    /// what it surrounds leaves its caller's actor in Swift 6.3, and a leader that drove the world
    /// from elsewhere would let time pass while its actor's other tasks compute.
    private func follow(_ sleeper: Sleeper) async {
        await withTaskCancellationHandler {
            await sleeper.sleep()
        } onCancel: {
            sleeper.wake()
        }
    }

    private func turn(_ ticket: UInt64, _ patience: inout Patience) -> Turn {
        withState { state in
            if let verdict = state.waiters.verdict(of: ticket) { return .over(verdict) }
            guard state.waiters.isLeader(ticket) else { return .follow }
            return switch pace {
            case .max where state.stillness > 0: .sleep(Self.glance)
            case .max: state.drive(for: ticket, &patience)
            case .realtime: state.drive(for: ticket, upTo: wallInstant)
            }
        }
    }
}

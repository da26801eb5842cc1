/// Which device of many is next, as a value: no I/O, no clock, no tasks.
///
/// ```
///            all canaries succeeded, or none wanted
///  CANARIES ───────────────────────────────────────▶ REST
///   │   │                                           │   │
///   │   └─ one fails ─▶ HALTED(canaryFailed)        │   └─ one more than the limit fails
///   │                                               │        ─▶ HALTED(tooManyFailures)
///   └─ interrupt ─────▶ HALTED(interrupted) ◀───────┘ interrupt
/// ```
/// In CANARIES and REST a device starts whenever fewer than `jobs` are under way. In HALTED none
/// does; those under way end. The first reason to halt stays. The course is finished when no device
/// is under way and none will start.
public struct FleetCourse<ID: Hashable & Sendable>: Sendable {
    /// The devices, each one once, in the order in which they were given.
    public let devices: [ID]
    /// The devices that were given more than once, each one once, in the order of their repetition.
    public let duplicates: [ID]
    /// The plan.
    public let plan: FleetPlan

    private var phase: Phase
    /// The devices before this index have started.
    private var startedCount = 0
    private var running: Set<ID> = []
    private var failureCount = 0

    private enum Phase: Equatable {
        /// So many canaries have not succeeded yet, one or more.
        case canaries(left: Int)
        case rest
        case halted(FleetHalt)
    }

    /// What to do now.
    public enum Step: Hashable, Sendable {
        /// Start with this device, and ask again.
        case start(ID)
        /// Wait until a device that is under way has ended.
        case wait
        /// Nothing is under way, and nothing will be.
        case finished
    }

    /// How a device ended.
    public enum Outcome: Hashable, Sendable {
        /// It did what was asked for, or had done it before.
        case succeeded
        /// It did not.
        case failed
    }

    /// A course over `devices`. A device that is given again counts once, where it comes first.
    public init(devices: [ID], plan: FleetPlan) {
        var seen: Set<ID> = []
        var repeated: Set<ID> = []
        self.devices = devices.filter { seen.insert($0).inserted }
        seen.removeAll()
        duplicates = devices.filter { !seen.insert($0).inserted && repeated.insert($0).inserted }
        self.plan = plan
        let canaries = min(plan.canaries, self.devices.count)
        phase = canaries > 0 ? .canaries(left: canaries) : .rest
    }

    /// What to do now. A device that this starts counts as under way from here on.
    public mutating func next() -> Step {
        guard startedCount < startable else { return running.isEmpty ? .finished : .wait }
        guard running.count < plan.jobs else { return .wait }
        let device = devices[startedCount]
        startedCount += 1
        running.insert(device)
        return .start(device)
    }

    /// A device that was under way has ended.
    ///
    /// It must have been started by ``next()`` and not have ended before.
    public mutating func ended(_ id: ID, _ outcome: Outcome) {
        precondition(running.remove(id) != nil, "a device ends once, after it was started")
        switch outcome {
        case .succeeded: noteSuccess()
        case .failed: noteFailure()
        }
    }

    /// It was called off: no device starts any more. Those under way are the caller's to end.
    public mutating func interrupt() { stop(.interrupted) }

    /// Why no device starts any more, where one would have; nil while the course runs its way.
    public var halt: FleetHalt? {
        guard case .halted(let reason) = phase, startedCount < devices.count else { return nil }
        return reason
    }

    /// The devices that never started, in order. Before the course is finished: that have not.
    public var notStarted: ArraySlice<ID> { devices[startedCount...] }

    /// The devices before this index may start.
    private var startable: Int {
        switch phase {
        case .canaries: min(plan.canaries, devices.count)
        case .rest: devices.count
        case .halted: startedCount
        }
    }

    private mutating func noteSuccess() {
        switch phase {
        case .canaries(let left): phase = left > 1 ? .canaries(left: left - 1) : .rest
        case .rest, .halted: break
        }
    }

    private mutating func noteFailure() {
        failureCount += 1
        switch phase {
        case .canaries: stop(.canaryFailed)
        case .rest:
            let isTooMuch = plan.failureLimit?.isExceeded(by: failureCount, of: devices.count)
            if isTooMuch ?? false { stop(.tooManyFailures) }
        case .halted: break
        }
    }

    private mutating func stop(_ reason: FleetHalt) {
        switch phase {
        case .canaries, .rest: phase = .halted(reason)
        case .halted: break
        }
    }
}

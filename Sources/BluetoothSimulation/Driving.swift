import Bluetooth

/// What a waiting task does next.
enum Turn {
    case over(Waiters.Verdict)
    case follow
    case letOthersRun
    case sleep(Duration)
}

/// How often the leader still stands back for others before the world goes on, so that one that
/// never comes back cannot stop it.
struct Patience {
    var forDecided = Self.most
    var forAwake = Self.someWhoMayBeGone
    var beforeIdleJump = Self.beforeJump

    private static let most = 10_000
    private static let someWhoMayBeGone = 500
    private static let beforeJump = 4
}

/// How the leader drives the world.
extension SimulatedRadio.State {
    /// As fast as it goes, and so far that no deadline passes unnoticed.
    mutating func drive(for ticket: UInt64, _ patience: inout Patience) -> Turn {
        settle()
        for _ in 0..<Self.stepsPerTurn {
            if let verdict = waiters.verdict(of: ticket) { return .over(verdict) }
            let standsBack = standsBack(&patience)
            waiters.setLeadOpen(standsBack)
            if standsBack { return .letOthersRun }
            let limit = waiters.earliestDeadline()
            guard let next = world.nextEvent, next <= limit else {
                return jump(to: limit, for: ticket, &patience)
            }
            patience = Patience()
            world.step()
            settle()
        }
        settleAll()
        return .letOthersRun
    }

    /// As far as the clock on the wall: nobody can drive on ahead of the others there.
    mutating func drive(for ticket: UInt64, upTo wall: LinkInstant) -> Turn {
        world.run(until: wall)
        settleAll()
        expire()
        if let verdict = waiters.verdict(of: ticket) { return .over(verdict) }
        let deadline = waiters.earliestDeadline()
        let next = min(deadline, world.nextEvent ?? deadline)
        let pause = min(next.microseconds(since: wall), Self.longestPauseMicroseconds)
        return .sleep(.microseconds(Int64(max(pause, Self.shortestPauseMicroseconds))))
    }

    /// Whether somebody should go before the world does.
    private mutating func standsBack(_ patience: inout Patience) -> Bool {
        switch waiters.standBack {
        case .no:
            return false
        case .forDecided:
            patience.forDecided -= 1
            return patience.forDecided > 0
        case .forAwake:
            patience.forAwake -= 1
            if patience.forAwake <= 0 { waiters.forgetAwake() }
            return patience.forAwake > 0
        }
    }

    /// Nothing happens up to the limit.
    private mutating func jump(
        to limit: LinkInstant, for ticket: UInt64, _ patience: inout Patience
    ) -> Turn {
        if patience.beforeIdleJump > 0 {
            // Another task may be about to give the world something to do.
            patience.beforeIdleJump -= 1
            return .letOthersRun
        }
        world.run(until: limit)
        settleAll()
        expire()
        return waiters.verdict(of: ticket).map(Turn.over) ?? .letOthersRun
    }

    // MARK: Deciding whose wait is over

    /// Looks at those that the latest events may concern.
    mutating func settle() {
        defer { world.changes.clear() }
        guard !world.changes.isEmpty, !waiters.isEmpty else { return }
        waiters.decide(.holds) { link, condition, _ in
            world.changes.concern(link) && condition.holds(in: world)
        }
    }

    /// Looks at all.
    private mutating func settleAll() {
        world.changes.clear()
        waiters.decide(.holds) { _, condition, _ in condition.holds(in: world) }
    }

    /// Those who look on for as long as it takes have no deadline.
    private mutating func expire() {
        waiters.decide(.deadlinePassed) { _, condition, deadline in
            deadline <= world.now && !(condition.isPassive && deadline == .distantFuture)
        }
    }

    /// So many events run before other tasks get their turn.
    private static let stepsPerTurn = 64
    /// Another task may plan something sooner than what is known now.
    private static let longestPauseMicroseconds: UInt64 = 20_000
    private static let shortestPauseMicroseconds: UInt64 = 500
}

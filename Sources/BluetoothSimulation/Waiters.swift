import Bluetooth

/// The tasks that wait for a world. One of them leads: it drives the world. The others are
/// suspended until their wait is over or the lead is theirs.
struct Waiters {
    /// How a wait ended.
    enum Verdict {
        case holds
        case deadlinePassed
    }

    struct Waiter {
        let ticket: UInt64
        let condition: WaitCondition
        let deadline: LinkInstant
        /// The link whose events decide.
        let link: Int?
        let task: Int
        let sleeper: Sleeper
        /// Set once; the task learns of it when it runs again.
        var verdict: Verdict?

        /// Waits for as long as it takes, and lets no time pass for that.
        var isPassive: Bool { condition.isPassive && deadline == .distantFuture }
    }

    /// Whether passive waiters may lead: on the wall's clock time passes anyway.
    let passiveMayLead: Bool
    /// In the order in which they came.
    private var all: [Waiter] = []
    private var leader: UInt64?
    /// True while the leader stands back, or has not begun: whoever comes back to wait meanwhile
    /// leads instead, and nobody waits for a change of threads.
    private var isLeadOpen = false
    private var nextTicket: UInt64 = 0
    /// How many know not yet that their wait is over.
    private var decidedCount = 0
    /// Tasks whose wait is over, and who have not come back to wait again.
    private var awake: Set<Int> = []
    /// Who is to be woken when the lock is open.
    private var due: [Sleeper] = []
    /// The earliest deadline of those that still wait; nil: to be found out.
    private var knownEarliest: LinkInstant?

    init(passiveMayLead: Bool) { self.passiveMayLead = passiveMayLead }

    var isEmpty: Bool { all.isEmpty }
    var count: Int { all.count }

    // MARK: Coming and going

    mutating func enroll(
        _ condition: WaitCondition, until deadline: LinkInstant, link: Int?, task: Int,
        sleeper: Sleeper
    ) -> UInt64 {
        nextTicket += 1
        awake.remove(task)
        let waiter = Waiter(
            ticket: nextTicket, condition: condition, deadline: deadline, link: link, task: task,
            sleeper: sleeper)
        all.append(waiter)
        knownEarliest = nil
        if mayLead(waiter), leader == nil || (isLeadOpen && standBack == .no) {
            leader = nextTicket
            isLeadOpen = false
        }
        return nextTicket
    }

    /// A task goes on its way. If it led, somebody else leads now.
    mutating func leave(_ ticket: UInt64) {
        guard let place = place(of: ticket) else { return }
        let waiter = all.remove(at: place)
        if waiter.verdict != nil { decidedCount -= 1 }
        awake.insert(waiter.task)
        knownEarliest = nil
        guard leader == ticket else { return }
        leader = nil
        appoint()
    }

    private mutating func appoint() {
        guard let place = all.firstIndex(where: mayLead) else { return }
        leader = all[place].ticket
        isLeadOpen = true
        due.append(all[place].sleeper)
    }

    private func mayLead(_ waiter: Waiter) -> Bool {
        waiter.verdict == nil && (passiveMayLead || !waiter.isPassive)
    }

    func isLeader(_ ticket: UInt64) -> Bool { leader == ticket }

    /// The leader stands back, or goes on.
    mutating func setLeadOpen(_ isOpen: Bool) { isLeadOpen = isOpen }

    func verdict(of ticket: UInt64) -> Verdict? {
        decidedCount == 0 ? nil : place(of: ticket).flatMap { all[$0].verdict }
    }

    /// Those to wake once the lock is open.
    mutating func takeDue() -> [Sleeper] {
        guard !due.isEmpty else { return [] }
        defer { due = [] }
        return due
    }

    // MARK: Deciding

    /// Ends the wait of all for whom `isOver` says so by their link, condition and deadline.
    mutating func decide(
        _ verdict: Verdict, where isOver: (Int?, WaitCondition, LinkInstant) -> Bool
    ) {
        for place in all.indices where all[place].verdict == nil {
            if isOver(all[place].link, all[place].condition, all[place].deadline) {
                decide(place, verdict)
            }
        }
    }

    private mutating func decide(_ place: Int, _ verdict: Verdict) {
        all[place].verdict = verdict
        decidedCount += 1
        knownEarliest = nil
        due.append(all[place].sleeper)
    }

    // MARK: For the leader

    /// The moment that the world must not pass before somebody is told.
    mutating func earliestDeadline() -> LinkInstant {
        if let knownEarliest { return knownEarliest }
        let waiting = all.lazy.filter { $0.verdict == nil }
        let earliest = waiting.map(\.deadline).min() ?? .distantFuture
        knownEarliest = earliest
        return earliest
    }

    /// Who should go before the world is driven on.
    var standBack: StandBack {
        if decidedCount > 0 { return .forDecided }
        return awake.isEmpty ? .no : .forAwake
    }

    /// Whom the leader stands back for.
    enum StandBack {
        case no
        /// They will run for certain.
        case forDecided
        /// They may be gone for good.
        case forAwake
    }

    /// Those who have not come back by now are not waited for any more.
    mutating func forgetAwake() { awake.removeAll() }

    /// Tickets are in order.
    private func place(of ticket: UInt64) -> Int? {
        var (low, high) = (0, all.count)
        while low < high {
            let middle = (low + high) / 2
            if all[middle].ticket < ticket { low = middle + 1 } else { high = middle }
        }
        return low < all.count && all[low].ticket == ticket ? low : nil
    }
}

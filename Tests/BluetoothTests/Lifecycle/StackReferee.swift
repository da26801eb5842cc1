import Bluetooth

/// A Bluetooth stack that only keeps books: it is told what a lifecycle wants done, and notes what
/// no stack would allow.
struct StackReferee {
    var lifecycle = ConnectionLifecycle()
    var now = LinkInstant(microseconds: 1_000)
    var isPowered = true
    private(set) var running: [LifecycleTicket: LifecycleOperation] = [:]
    private(set) var deadlines: [LifecycleTicket: LinkInstant] = [:]
    /// The links that stand, by the ticket that brought them.
    private(set) var links: [LifecycleTicket: PeerID] = [:]
    /// All tickets that ever were, the oldest first, with whom they were to connect.
    private(set) var tickets: [(ticket: LifecycleTicket, peer: PeerID?)] = []
    private(set) var reports: [LifecycleReport] = []
    private(set) var violations: [String] = []

    /// The operation that is under way.
    var current: (ticket: LifecycleTicket, operation: LifecycleOperation)? {
        running.max { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    mutating func takeReports() -> [LifecycleReport] {
        defer { reports = [] }
        return reports
    }

    // MARK: Events

    mutating func want(_ goal: LinkGoal) { handle(.wanted(goal, isPowered: isPowered)) }

    /// The operation that is under way ends like this.
    mutating func finish(_ outcome: LifecycleOutcome) {
        guard let current else { return violations.append("nothing is under way") }
        end(current.ticket, outcome)
    }

    /// The operation of a ticket ends, whoever still waits for it. A link comes of an operation
    /// that connects, and once.
    mutating func end(_ ticket: LifecycleTicket, _ outcome: LifecycleOutcome) {
        let operation = running.removeValue(forKey: ticket)
        if case .linked = outcome {
            guard let place = tickets.firstIndex(where: { $0.ticket == ticket }),
                let peer = tickets[place].peer
            else { return }
            links[ticket] = peer
            tickets[place].peer = nil
        }
        if case .lost = outcome, case .watch(let link)? = operation { links[link] = nil }
        handle(.ended(ticket, outcome))
    }

    /// The deadline of the operation that is under way passes, and the stack says nothing.
    mutating func elapse() {
        guard let current, let deadline = deadlines[current.ticket] else { return }
        now = max(now, deadline)
        handle(.elapsed(current.ticket))
    }

    mutating func handle(_ event: LifecycleEvent) {
        for effect in lifecycle.handle(event, at: now) { carryOut(effect) }
        checkRest(after: event)
    }

    // MARK: Rules

    private mutating func carryOut(_ effect: LifecycleEffect) {
        switch effect {
        case .begin(let ticket, let operation, let deadline):
            begin(ticket, operation, deadline)
        case .cancel(let ticket): running[ticket] = nil
        case .release(let ticket):
            require(links.removeValue(forKey: ticket) != nil, "released a link that is none")
        case .report(let report): reports.append(report)
        }
    }

    mutating func begin(
        _ ticket: LifecycleTicket, _ operation: LifecycleOperation, _ deadline: LinkInstant
    ) {
        require(!tickets.contains { $0.ticket == ticket }, "used a ticket twice")
        require(running.isEmpty, "two operations at once")
        require(deadline >= now, "a deadline in the past")
        var peer: PeerID?
        switch operation {
        case .awaitPower, .pause:
            require(links.isEmpty, "waited with a link")
        case .scan, .findLinkedPeers:
            require(links.isEmpty, "searched with a link")
        case .connect(let wanted):
            require(links.isEmpty, "connected with a link")
            peer = wanted
        case .secure(let link, _), .discoverServices(let link, _),
            .discoverCharacteristics(let link, _), .watch(let link):
            require(links.keys.elementsEqual([link]), "used a link that is not the one")
        }
        tickets.append((ticket, peer))
        running[ticket] = operation
        deadlines[ticket] = deadline
    }

    /// What holds between two events.
    private mutating func checkRest(after event: LifecycleEvent) {
        let phase = lifecycle.phase
        require(running.count == (phase == .disconnected ? 0 : 1), "\(phase): \(running.count)")
        let holdsLink: Set<ConnectionLifecycle.Phase> = [
            .securing, .discoveringServices, .discoveringCharacteristics, .connected,
        ]
        require(links.count == (holdsLink.contains(phase) ? 1 : 0), "\(phase): link after \(event)")
        guard let operation = current?.operation else { return }
        require(Self.fits(operation, phase), "\(operation) while \(phase)")
    }

    private static func fits(
        _ operation: LifecycleOperation, _ phase: ConnectionLifecycle.Phase
    ) -> Bool {
        switch operation {
        case .awaitPower: phase == .poweredOff
        case .scan: phase == .scanning
        case .findLinkedPeers: phase == .restoring
        case .connect: phase == .restoring || phase == .connecting
        case .secure: phase == .securing
        case .discoverServices: phase == .discoveringServices
        case .discoverCharacteristics: phase == .discoveringCharacteristics
        case .watch: phase == .connected
        case .pause: phase == .outOfRange
        }
    }

    private mutating func require(_ holds: Bool, _ rule: String) {
        if !holds { violations.append(rule) }
    }
}

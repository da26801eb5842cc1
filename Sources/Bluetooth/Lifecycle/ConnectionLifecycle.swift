/// The life of the connection to one device: what happens is handed in, what is to be done comes
/// out. It knows no backend, no clock and no task; whoever drives it owns all three.
///
/// ```
///                wanted ┌──────────────┐ unwanted, or failed for good (from everywhere)
///        ┌──────────────┤ disconnected │◀──────────────────────────────────────────────
///        ▼              └──────────────┘
///  ┌───────────┐ powered   ┌──────────────────────────┐ neither   ┌──────────┐
///  │poweredOff ├──────────▶│ restoring                ├──────────▶│ scanning │
///  └───────────┘           │  1 its address, directly │           └────┬─────┘
///        ▲                 │  2 a link of the system  │          heard │
///        │                 └──────┬───────────────────┘           ┌────▼─────┐
///  the adapter is off             │ linked                 linked │connecting│
///  (from everywhere)              ▼                   ┌───────────┴──────────┘
///                           ┌──────────┐◀─────────────┘
///                           │ securing │
///                           └────┬─────┘
///                   ┌────────────▼──────────┐    ┌──────────────────────────────┐
///                   │ discoveringServices   ├───▶│ discoveringCharacteristics   │
///                   └───────────────────────┘    └──────────────┬───────────────┘
///                                                        ┌──────▼────┐ disowned: the next
///    ┌────────────┐  lost, broken, or a step failed      │ connected ├─────────▶ candidate
///    │ outOfRange │◀──────────── (from all above) ───────┴───────────┘
///    └─────┬──────┘  no link is free: a pause that does not count
///          └─────── the pause is over: restoring, from tier 1 on
/// ```
/// A step has one operation and one deadline. An outcome that comes late finds its ticket void and
/// changes nothing, but that a link which nobody wants any more is released.
public struct ConnectionLifecycle: Sendable {
    /// Where a connection stands, in the words of the design.
    public enum Phase: String, Hashable, Sendable, CaseIterable {
        /// The adapter is off; nothing begins before it is on.
        case poweredOff = "powered-off"
        /// Nothing is wanted.
        case disconnected
        /// Listening for the device.
        case scanning
        /// Connecting to a device that was just heard.
        case connecting
        /// Raising the link's security.
        case securing
        /// Looking for the service.
        case discoveringServices = "discovering-services"
        /// Looking for its characteristics.
        case discoveringCharacteristics = "discovering-characteristics"
        /// The link is handed over.
        case connected
        /// Waiting for the next try.
        case outOfRange = "out-of-range"
        /// Going back to where the device was, without a scan.
        case restoring
    }

    /// A link that stands, by the operation that brought it.
    struct Held: Hashable {
        let link: LifecycleTicket
        let peer: PeerID
        /// Its connection interval in µs; 0 where that is not known.
        var intervalMicroseconds: UInt64 = 0
    }

    /// The one step that is being taken, with the ticket of its operation.
    enum Step: Hashable {
        case poweredOff(LifecycleTicket)
        case restoring(LifecycleTicket, Tier)
        case scanning(LifecycleTicket)
        case connecting(LifecycleTicket, PeerID)
        case securing(LifecycleTicket, Held)
        case discoveringServices(LifecycleTicket, Held)
        case discoveringCharacteristics(LifecycleTicket, Held)
        case connected(LifecycleTicket, Held)
        case outOfRange(LifecycleTicket)
    }

    /// The ways back that take no scan.
    enum Tier: Hashable {
        case direct(PeerID)
        case findingLinks
        case linked(PeerID)
    }

    private enum State {
        case disconnected
        case pursuing(Pursuit, Step)
    }

    private var state = State.disconnected
    private var lastTicket: UInt64 = 0
    private var effects: [LifecycleEffect] = []

    /// A lifecycle in which nothing is wanted.
    public init() {}

    /// Where it stands.
    public var phase: Phase {
        switch state {
        case .disconnected: .disconnected
        case .pursuing(_, let step): step.phase
        }
    }

    /// Takes one event, and answers what is to be done, in this order.
    public mutating func handle(
        _ event: LifecycleEvent, at now: LinkInstant
    ) -> [LifecycleEffect] {
        effects = []
        switch state {
        case .disconnected: begin(event, at: now)
        case .pursuing(let pursuit, let step): go(on: event, pursuit, step, at: now)
        }
        return effects
    }

    // MARK: Events

    private mutating func begin(_ event: LifecycleEvent, at now: LinkInstant) {
        switch event {
        case .wanted(let goal, let isPowered):
            var pursuit = Pursuit(goal, now: now)
            guard isPowered else { return awaitPower(pursuit, at: now) }
            pursuit.startRound()
            tryNext(pursuit, at: now)
        case .ended(let ticket, .linked):
            // It came up after it was called off.
            effects.append(.release(ticket))
        case .unwanted, .ended, .elapsed, .broken, .disowned, .resetting, .progressed: break
        }
    }

    private mutating func go(
        on event: LifecycleEvent, _ pursuit: Pursuit, _ step: Step, at now: LinkInstant
    ) {
        var pursuit = pursuit
        switch event {
        case .wanted(let goal, _):
            pursuit.adopt(goal)
            state = .pursuing(pursuit, step)
        case .unwanted:
            leave(step)
            state = .disconnected
            effects.append(.report(.entered(.disconnected)))
        case .ended(let ticket, let outcome):
            guard ticket == step.ticket else {
                // It came up after it was called off; what is told twice is no other link.
                if case .linked = outcome, ticket != step.held?.link {
                    effects.append(.release(ticket))
                }
                return
            }
            take(outcome, pursuit, step, at: now)
        case .elapsed(let ticket):
            guard ticket == step.ticket else { return }
            effects.append(.cancel(ticket))
            elapsed(pursuit, step, at: now)
        case .broken(let error):
            guard case .connected = step else { return }
            leave(step)
            failed(error, pursuit, at: now)
        case .disowned:
            guard case .connected(_, let held) = step else { return }
            leave(step)
            pursuit.strangers.insert(held.peer)
            tryNext(pursuit, at: now)
        case .resetting(let microseconds):
            guard case .connected = step else { return }
            leave(step)
            pursuit.backoff.progressed(at: now)
            pursuit.backoff.waited(until: now.advanced(microseconds: microseconds))
            pause(pursuit, microseconds: microseconds, at: now)
        case .progressed:
            pursuit.backoff.progressed(at: now)
            state = .pursuing(pursuit, step)
        }
    }

    /// The outcome of the current step's operation. One that does not fit it is a stack's fault,
    /// and harmless.
    private mutating func take(
        _ outcome: LifecycleOutcome, _ pursuit: Pursuit, _ step: Step, at now: LinkInstant
    ) {
        var pursuit = pursuit
        switch (step, outcome) {
        case (.poweredOff, .powered), (.outOfRange, .paused):
            pursuit.startRound()
            tryNext(pursuit, at: now)
        case (.restoring(_, .findingLinks), .linkedPeers(let peers)):
            pursuit.linkedPeers = peers.filter(pursuit.isCandidate)
            tryNext(pursuit, at: now)
        case (.scanning, .heard(let peer)):
            pursuit.saw(peer)
            connect(to: peer, pursuit, at: now)
        case (.restoring(let ticket, .direct(let peer)), .linked(let interval)),
            (.restoring(let ticket, .linked(let peer)), .linked(let interval)),
            (.connecting(let ticket, let peer), .linked(let interval)):
            pursuit.saw(peer)
            let held = Held(
                link: ticket, peer: peer, intervalMicroseconds: UInt64(max(0, interval ?? 0)))
            secure(held, pursuit, at: now)
        case (.securing(_, let held), .secured):
            discover(held, pursuit, at: now)
        case (.discoveringServices(_, let held), .services(let services)):
            discover(services, held, pursuit, at: now)
        case (.discoveringCharacteristics(_, let held), .characteristics(let found)):
            hand(over: held, found, pursuit, at: now)
        case (.connected, .lost(let reason)):
            failed(.linkLost(reason), pursuit, at: now)
        case (_, .failed(let error)):
            stepFailed(error, pursuit, step, at: now)
        case (_, .powered), (_, .heard), (_, .linkedPeers), (_, .linked), (_, .secured),
            (_, .services), (_, .characteristics), (_, .paused), (_, .lost):
            break
        }
    }

    private mutating func elapsed(_ pursuit: Pursuit, _ step: Step, at now: LinkInstant) {
        switch step {
        case .poweredOff: fail(.poweredOff)
        case .outOfRange: take(.paused, pursuit, step, at: now)
        case .scanning: roundOver(.peerNotFound(pursuit.goal.wantedPeer), pursuit, at: now)
        case .restoring, .connecting, .securing, .discoveringServices,
            .discoveringCharacteristics, .connected:
            stepFailed(.timedOut(step.action), pursuit, step, at: now)
        }
    }
}

// MARK: Steps

extension ConnectionLifecycle {
    private mutating func awaitPower(_ pursuit: Pursuit, at now: LinkInstant) {
        let patience =
            pursuit.isKnownToExist
            ? pursuit.backoff.deadline
            : now.advanced(microseconds: pursuit.goal.stepMicroseconds)
        let ticket = operate(.awaitPower, until: max(patience, now))
        enter(.poweredOff(ticket), pursuit)
    }

    /// The next candidate of this round: the known addresses, the system's links, a scan.
    private mutating func tryNext(_ pursuit: Pursuit, at now: LinkInstant) {
        var pursuit = pursuit
        let goal = pursuit.goal
        let step = now.advanced(microseconds: goal.stepMicroseconds)
        if let peer = pursuit.nextDirectPeer() {
            let direct = now.advanced(microseconds: goal.directMicroseconds)
            let ticket = operate(
                .connect(peer), until: goal.filter == nil ? step : min(step, direct))
            enter(.restoring(ticket, .direct(peer)), pursuit)
        } else if let service = pursuit.nextLinkQuestion() {
            let ticket = operate(.findLinkedPeers(service), until: step)
            enter(.restoring(ticket, .findingLinks), pursuit)
        } else if let peer = pursuit.nextLinkedPeer() {
            let ticket = operate(.connect(peer), until: step)
            enter(.restoring(ticket, .linked(peer)), pursuit)
        } else if let filter = goal.filter {
            let ticket = operate(.scan(filter, excluding: pursuit.strangers), until: step)
            enter(.scanning(ticket), pursuit)
        } else {
            roundOver(pursuit.lastError ?? .peerNotFound(goal.wantedPeer), pursuit, at: now)
        }
    }

    private mutating func connect(to peer: PeerID, _ pursuit: Pursuit, at now: LinkInstant) {
        let ticket = operate(.connect(peer), until: stepDeadline(pursuit, now))
        enter(.connecting(ticket, peer), pursuit)
    }

    private mutating func secure(_ held: Held, _ pursuit: Pursuit, at now: LinkInstant) {
        guard pursuit.goal.security > .none else { return discover(held, pursuit, at: now) }
        let ticket = operate(
            .secure(held.link, pursuit.goal.security), until: pairingDeadline(pursuit, held, now))
        enter(.securing(ticket, held), pursuit)
    }

    private mutating func discover(_ held: Held, _ pursuit: Pursuit, at now: LinkInstant) {
        guard let service = pursuit.goal.service else {
            return hand(over: held, [], pursuit, at: now)
        }
        let ticket = operate(
            .discoverServices(held.link, service), until: stepDeadline(pursuit, now, held))
        enter(.discoveringServices(ticket, held), pursuit)
    }

    private mutating func discover(
        _ services: [GATTService], _ held: Held, _ pursuit: Pursuit, at now: LinkInstant
    ) {
        // The wish may have changed meanwhile.
        guard let wanted = pursuit.goal.service else {
            return hand(over: held, [], pursuit, at: now)
        }
        guard let service = services.first(where: { $0.uuid == wanted }) else {
            effects.append(.release(held.link))
            return refused(.noSuchService(wanted), by: held.peer, pursuit, at: now)
        }
        let ticket = operate(
            .discoverCharacteristics(held.link, service),
            until: stepDeadline(pursuit, now, held))
        enter(.discoveringCharacteristics(ticket, held), pursuit)
    }

    private mutating func hand(
        over held: Held, _ found: [GATTCharacteristic], _ pursuit: Pursuit, at now: LinkInstant
    ) {
        let ticket = operate(.watch(held.link), until: .distantFuture)
        enter(.connected(ticket, held), pursuit)
        effects.append(.report(.connected(held.peer, held.link, found)))
    }

    // MARK: Failures

    /// The current step's operation failed.
    private mutating func stepFailed(
        _ error: BluetoothError, _ pursuit: Pursuit, _ step: Step, at now: LinkInstant
    ) {
        var pursuit = pursuit
        if let held = step.held { effects.append(.release(held.link)) }
        pursuit.lastError = error
        // A link that broke while it was being made was one: somebody is there.
        if case .linkLost = error, let peer = step.peer { pursuit.saw(peer) }
        if error.isAboutPower {
            // The adapter was waited for, and did not come: to wait again would have no end.
            if case .poweredOff = step { return fail(error) }
            return awaitPower(pursuit, at: now)
        }
        switch error.persistence {
        case .terminal:
            guard let peer = step.peer else { return fail(error) }
            refused(error, by: peer, pursuit, at: now)
        case .canceled: fail(error)
        case .queued: queue(error, pursuit, at: now)
        case .passing:
            switch step {
            case .restoring: tryNext(pursuit, at: now)
            case .poweredOff, .outOfRange, .scanning: roundOver(error, pursuit, at: now)
            case .connecting, .securing, .discoveringServices, .discoveringCharacteristics,
                .connected:
                backOff(error, pursuit, at: now)
            }
        }
    }

    /// A device says no for good. Where its identity was still to be checked it is a stranger.
    private mutating func refused(
        _ error: BluetoothError, by peer: PeerID, _ pursuit: Pursuit, at now: LinkInstant
    ) {
        var pursuit = pursuit
        guard pursuit.goal.checksIdentity, !pursuit.goal.peers.contains(peer) else {
            return fail(error)
        }
        pursuit.strangers.insert(peer)
        tryNext(pursuit, at: now)
    }

    /// The link that was handed over is gone, or of no use.
    private mutating func failed(
        _ error: BluetoothError, _ pursuit: Pursuit, at now: LinkInstant
    ) {
        guard !error.isAboutPower else { return awaitPower(pursuit, at: now) }
        switch error.persistence {
        case .terminal, .canceled: fail(error)
        case .queued: queue(error, pursuit, at: now)
        case .passing: backOff(error, pursuit, at: now)
        }
    }

    /// No candidate is left. One that never was there is not waited for.
    private mutating func roundOver(
        _ error: BluetoothError, _ pursuit: Pursuit, at now: LinkInstant
    ) {
        guard pursuit.isKnownToExist || !error.isAboutAbsence else { return fail(error) }
        backOff(error, pursuit, at: now)
    }

    private mutating func backOff(
        _ error: BluetoothError, _ pursuit: Pursuit, at now: LinkInstant
    ) {
        var pursuit = pursuit
        guard let microseconds = pursuit.backoff.nextPause(at: now) else { return fail(error) }
        effects.append(.report(.retrying(error, microseconds: microseconds)))
        pause(pursuit, microseconds: microseconds, at: now)
    }

    /// Every link of the adapter is taken: others end, and then it is our turn. Patience is for
    /// the device, so that this wait does not count.
    private mutating func queue(
        _ error: BluetoothError, _ pursuit: Pursuit, at now: LinkInstant
    ) {
        var pursuit = pursuit
        let microseconds = Backoff.firstPauseMicroseconds
        pursuit.backoff.waited(until: now.advanced(microseconds: microseconds))
        effects.append(.report(.retrying(error, microseconds: microseconds)))
        pause(pursuit, microseconds: microseconds, at: now)
    }

    private mutating func pause(
        _ pursuit: Pursuit, microseconds: UInt64, at now: LinkInstant
    ) {
        let ticket = operate(.pause, until: now.advanced(microseconds: microseconds))
        enter(.outOfRange(ticket), pursuit)
    }

    private mutating func fail(_ error: BluetoothError) {
        state = .disconnected
        effects.append(.report(.failed(error)))
    }

    // MARK: Bookkeeping

    /// Ends what a step has under way and what it holds.
    private mutating func leave(_ step: Step) {
        effects.append(.cancel(step.ticket))
        if let held = step.held { effects.append(.release(held.link)) }
    }

    private mutating func enter(_ step: Step, _ pursuit: Pursuit) {
        let before = phase
        state = .pursuing(pursuit, step)
        guard step.phase != before else { return }
        // The report precedes what begins with the phase.
        effects.insert(.report(.entered(step.phase)), at: max(0, effects.count - 1))
    }

    private mutating func operate(
        _ operation: LifecycleOperation, until deadline: LinkInstant
    ) -> LifecycleTicket {
        lastTicket += 1
        let ticket = LifecycleTicket(rawValue: lastTicket)
        effects.append(.begin(ticket, operation, until: deadline))
        return ticket
    }

    /// A link with long intervals answers late by nature: twenty of them are always allowed.
    private func stepDeadline(
        _ pursuit: Pursuit, _ now: LinkInstant, _ held: Held? = nil
    ) -> LinkInstant {
        let intervals = 20 * (held?.intervalMicroseconds ?? 0)
        return now.advanced(microseconds: max(pursuit.goal.stepMicroseconds, intervals))
    }

    private func pairingDeadline(
        _ pursuit: Pursuit, _ held: Held, _ now: LinkInstant
    ) -> LinkInstant {
        let pairing = now.advanced(microseconds: pursuit.goal.pairingMicroseconds)
        return max(stepDeadline(pursuit, now, held), pairing)
    }
}

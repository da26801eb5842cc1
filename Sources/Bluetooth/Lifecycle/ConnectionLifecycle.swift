/// The life of the connection to one device: what happens is handed in, what is to be done comes
/// out. It knows no backend, no clock and no task; whoever drives it owns all three.
///
/// ```
///   disconnected ──wanted──▶ the next candidate ◀──powered── poweredOff
///                             │               │
///                one is known │               │ none is left: a scan
///                             ▼               ▼
///       ┌─────────────────────────┐      ┌──────────┐ heard ┌────────────┐
///       │ restoring               │      │ scanning ├──────▶│ connecting │
///       │  1 its address, directly│      └──────────┘       └──────┬─────┘
///       │  2 a link of the system │                                │
///       └───────────┬─────────────┘                                │
///                   │ linked                                linked │
///                   ▼                                              │
///              ┌──────────┐◀───────────────────────────────────────┘
///              │ securing │
///              └────┬─────┘
///       ┌───────────▼─────────┐  ┌────────────────────────────┐  ┌───────────┐
///       │ discoveringServices ├─▶│ discoveringCharacteristics ├─▶│ connected │
///       └─────────────────────┘  └────────────────────────────┘  └───────────┘
/// ```
/// Securing is left out where no security is wanted, discovery where no service is. All other ways:
///
/// ```
///   from                  where                                           to
///   ────────────────────  ──────────────────────────────────────────────  ──────────────────
///   restoring             it failed, though trying again may help         the next candidate
///   restoring…connected   disowned, or refused for good by a peer that    the next candidate
///                         may be another device: it is not asked again
///   any candidate         none is left, or the scan for it failed         outOfRange
///                         … and nothing was ever heard of the device      disconnected
///   connecting…connected  lost, broken or resetting, or the step failed   outOfRange
///   anywhere              no link is free: a pause that does not count    outOfRange
///   outOfRange            the pause is over: from the first candidate on  the next candidate
///   anywhere              the adapter is off; also where it is wanted     poweredOff
///   anywhere              unwanted, failed for good, or out of patience   disconnected
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

    private enum State {
        case disconnected
        case pursuing(Pursuit, Step)
    }

    private var state = State.disconnected
    private var lastTicket: UInt64 = 0
    /// What the event that is being handled has led to so far.
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
}

// MARK: Events

extension ConnectionLifecycle {
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
            report(.entered(.disconnected))
        case .progressed:
            pursuit.backoff.progressed(at: now)
            state = .pursuing(pursuit, step)
        case .ended(let ticket, let outcome):
            if ticket == step.ticket {
                take(outcome, pursuit, step, at: now)
            } else if case .linked = outcome, ticket != step.held?.link {
                // It came up after it was called off; what is told twice is no other link.
                effects.append(.release(ticket))
            }
        case .elapsed(let ticket):
            guard ticket == step.ticket else { return }
            effects.append(.cancel(ticket))
            elapsed(pursuit, step, at: now)
        case .broken, .disowned, .resetting:
            guard case .connected(_, let held) = step else { return }
            leave(step)
            left(held, event, pursuit, at: now)
        }
    }

    /// What the user of the link that was handed over says of it; the link is being ended.
    private mutating func left(
        _ held: Held, _ event: LifecycleEvent, _ pursuit: Pursuit, at now: LinkInstant
    ) {
        var pursuit = pursuit
        switch event {
        case .broken(let error): linkFailed(error, pursuit, at: now)
        case .disowned:
            pursuit.strangers.insert(held.peer)
            tryNext(pursuit, at: now)
        case .resetting(let microseconds):
            pursuit.backoff.progressed(at: now)
            pursuit.backoff.waited(until: now.advanced(microseconds: microseconds))
            pause(pursuit, microseconds: microseconds, at: now)
        case .wanted, .unwanted, .ended, .elapsed, .progressed: break
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
        case (.scanning, .heardNobody):
            roundOver(.peerNotFound(pursuit.goal.wantedPeer), pursuit, at: now)
        case (.restoring(let ticket, .direct(let peer)), .linked(let interval)),
            (.restoring(let ticket, .linked(let peer)), .linked(let interval)),
            (.connecting(let ticket, let peer), .linked(let interval)):
            pursuit.saw(peer)
            let held = Held(link: ticket, peer: peer, intervalMicroseconds: interval)
            secure(held, pursuit, at: now)
        case (.securing(_, let held), .secured): discoverServices(held, pursuit, at: now)
        case (.discoveringServices(_, let held), .services(let services)):
            discoverCharacteristics(services, held, pursuit, at: now)
        case (.discoveringCharacteristics(_, let held), .characteristics(let found)):
            hand(over: held, found, pursuit, at: now)
        case (.connected, .lost(let reason)): linkFailed(.linkLost(reason), pursuit, at: now)
        case (_, .failed(let error)): stepFailed(error, pursuit, step, at: now)
        case (_, .powered), (_, .heard), (_, .heardNobody), (_, .linkedPeers), (_, .linked),
            (_, .secured),
            (_, .services), (_, .characteristics), (_, .paused), (_, .lost):
            break
        }
    }

    private mutating func elapsed(_ pursuit: Pursuit, _ step: Step, at now: LinkInstant) {
        switch step {
        case .poweredOff: giveUp(.poweredOff)
        case .outOfRange: take(.paused, pursuit, step, at: now)
        case .scanning: roundOver(.peerNotFound(pursuit.goal.wantedPeer), pursuit, at: now)
        case .restoring, .connecting, .securing, .discoveringServices,
            .discoveringCharacteristics, .connected:
            stepFailed(.timedOut(step.action), pursuit, step, at: now)
        }
    }
}

// MARK: What the state and the effects are changed by

extension ConnectionLifecycle {
    /// Takes a step: begins its operation, which has until the deadline.
    mutating func enter(
        _ operation: LifecycleOperation, until deadline: LinkInstant, _ pursuit: Pursuit,
        _ step: (LifecycleTicket) -> Step
    ) {
        lastTicket += 1
        let ticket = LifecycleTicket(rawValue: lastTicket)
        let step = step(ticket)
        // The report precedes what begins with the phase.
        if step.phase != phase { report(.entered(step.phase)) }
        state = .pursuing(pursuit, step)
        effects.append(.begin(ticket, operation, until: deadline))
    }

    /// Ends what a step has under way and what it holds.
    private mutating func leave(_ step: Step) {
        effects.append(.cancel(step.ticket))
        if let held = step.held { release(held) }
    }

    mutating func release(_ held: Held) { effects.append(.release(held.link)) }

    /// Nothing is tried any more.
    mutating func giveUp(_ error: BluetoothError) {
        state = .disconnected
        report(.failed(error))
    }

    mutating func report(_ report: LifecycleReport) { effects.append(.report(report)) }
}

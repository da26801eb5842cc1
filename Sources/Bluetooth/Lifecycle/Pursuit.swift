/// A device that is wanted, and how far the search for it has come.
struct Pursuit: Sendable {
    var goal: LinkGoal
    var backoff: Backoff
    /// Peers that turned out to be other devices. They are not asked again.
    var strangers: Set<PeerID> = []
    /// Who was there last, and may be the device.
    private var lastSeen: PeerID?
    /// Known addresses that this round has not tried yet.
    private var directPeers: [PeerID] = []
    private var hasAskedForLinks = false
    /// Peers that the system is linked to, and this round has not tried yet.
    var linkedPeers: [PeerID] = []
    /// What went wrong last in this round.
    var lastError: BluetoothError?

    init(_ goal: LinkGoal, now: LinkInstant) {
        self.goal = goal
        backoff = Backoff(
            giveUpMicroseconds: goal.giveUpMicroseconds, seed: goal.label, now: now)
    }

    /// Wanted otherwise than before: what was found out about the search stays.
    mutating func adopt(_ goal: LinkGoal) {
        let wasSeen = self.goal.wasSeen || goal.wasSeen
        self.goal = goal
        self.goal.wasSeen = wasSeen
        backoff.giveUpMicroseconds = goal.giveUpMicroseconds
    }

    /// Somebody who may be the device answered, or advertised.
    mutating func saw(_ peer: PeerID) { lastSeen = peer }

    /// The device is worth waiting for: it was there, and whoever was taken for it did not turn out
    /// to be another one.
    var isKnownToExist: Bool {
        goal.wasSeen || lastSeen.map { !strangers.contains($0) } ?? false
    }

    /// From the cheapest way on.
    mutating func startRound() {
        directPeers = goal.peers
        hasAskedForLinks = false
        linkedPeers = []
        lastError = nil
    }

    func isCandidate(_ peer: PeerID) -> Bool {
        !strangers.contains(peer) && !goal.peers.contains(peer)
    }

    mutating func nextDirectPeer() -> PeerID? {
        while !directPeers.isEmpty {
            let peer = directPeers.removeFirst()
            if !strangers.contains(peer) { return peer }
        }
        return nil
    }

    /// The service to ask the system's links for, once a round. Of a device of which nothing but an
    /// address is known no other link can be the one.
    mutating func nextLinkQuestion() -> BluetoothUUID? {
        guard !hasAskedForLinks, goal.checksIdentity, let service = goal.service else {
            return nil
        }
        hasAskedForLinks = true
        return service
    }

    mutating func nextLinkedPeer() -> PeerID? {
        linkedPeers.isEmpty ? nil : linkedPeers.removeFirst()
    }
}

extension ConnectionLifecycle.Step {
    var ticket: LifecycleTicket {
        switch self {
        case .poweredOff(let ticket), .restoring(let ticket, _), .scanning(let ticket),
            .connecting(let ticket, _), .securing(let ticket, _),
            .discoveringServices(let ticket, _), .discoveringCharacteristics(let ticket, _),
            .connected(let ticket, _), .outOfRange(let ticket):
            ticket
        }
    }

    /// The link that the step has.
    var held: ConnectionLifecycle.Held? {
        switch self {
        case .securing(_, let held), .discoveringServices(_, let held),
            .discoveringCharacteristics(_, let held), .connected(_, let held):
            held
        case .poweredOff, .restoring, .scanning, .connecting, .outOfRange: nil
        }
    }

    /// Whom the step is about.
    var peer: PeerID? {
        switch self {
        case .connecting(_, let peer), .restoring(_, .direct(let peer)),
            .restoring(_, .linked(let peer)):
            peer
        case .securing(_, let held), .discoveringServices(_, let held),
            .discoveringCharacteristics(_, let held), .connected(_, let held):
            held.peer
        case .poweredOff, .restoring(_, .findingLinks), .scanning, .outOfRange: nil
        }
    }

    var phase: ConnectionLifecycle.Phase {
        switch self {
        case .poweredOff: .poweredOff
        case .restoring: .restoring
        case .scanning: .scanning
        case .connecting: .connecting
        case .securing: .securing
        case .discoveringServices: .discoveringServices
        case .discoveringCharacteristics: .discoveringCharacteristics
        case .connected: .connected
        case .outOfRange: .outOfRange
        }
    }

    /// What the step does, for messages.
    var action: String {
        switch self {
        case .poweredOff: "waiting for the adapter"
        case .restoring, .connecting: "connecting"
        case .scanning: "scanning"
        case .securing: "securing"
        case .discoveringServices: "discovering services"
        case .discoveringCharacteristics: "discovering characteristics"
        case .connected: "connected"
        case .outOfRange: "waiting"
        }
    }
}

extension BluetoothError {
    /// The adapter is off or gone.
    var isAboutPower: Bool { self == .poweredOff || self == .linkLost(.adapterGone) }

    /// Nothing was heard of the device.
    var isAboutAbsence: Bool {
        if case .peerNotFound = self { true } else { false }
    }
}

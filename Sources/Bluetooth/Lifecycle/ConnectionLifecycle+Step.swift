extension ConnectionLifecycle {
    /// A link that stands, by the operation that brought it.
    struct Held: Hashable {
        let link: LifecycleTicket
        let peer: PeerID
        /// Its connection interval in µs; nil where that is not known.
        let intervalMicroseconds: Int?
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

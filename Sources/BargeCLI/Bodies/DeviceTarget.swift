import Barge

/// A device that a word on the command line stands for.
struct DeviceTarget: Hashable, Sendable {
    /// As the user named it.
    let title: String
    /// The simulated device, without `sim:`: the one backend that there is so far.
    let simulatedName: String
    /// Who it must be, where that is known from an earlier run.
    let identity: Identity?

    /// A device of a serial, and where it was.
    struct Identity: Hashable, Sendable {
        let serial: String
        let peers: [PeerID]
    }

    /// A simulated device by its own name.
    init(title: String, simulatedName: String) {
        self.title = title
        self.simulatedName = simulatedName
        identity = nil
    }

    /// A device that is remembered; nil where no backend reaches it.
    init?(title: String, _ known: KnownDevice) {
        guard let name = known.peers.lazy.compactMap(\.simulatedName).first else { return nil }
        self.title = title
        simulatedName = name
        identity = Identity(serial: known.serial, peers: known.peers)
    }

    /// Where to look for it, and whom to take: one that is remembered is known by its serial,
    /// wherever it is now.
    func reference(at peer: PeerID) -> DeviceReference {
        guard let identity else { return .peer(peer) }
        return .identity(serial: identity.serial, peers: identity.peers)
    }
}

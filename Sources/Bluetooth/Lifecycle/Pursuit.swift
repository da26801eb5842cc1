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

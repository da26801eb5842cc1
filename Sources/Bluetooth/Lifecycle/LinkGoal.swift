/// Which device is wanted, where it may be, and what the link to it must reach.
public struct LinkGoal: Hashable, Sendable {
    /// Peers that it may be, the likeliest first: its address of the last time, or the identifier
    /// that the system has given it. They are tried directly.
    public var peers: [PeerID]
    /// What to call it where it is not found: a serial, for one that is known by that; nil: the
    /// first of its addresses, or its name.
    public var title: String?
    /// What it advertises; nil where an address is all that is known, so that no scan would help.
    public var filter: ScanFilter?
    /// The service that it must offer; nil: the link is handed over as it is.
    public var service: BluetoothUUID?
    /// What the link must reach.
    public var security: SecurityLevel = .encrypted
    /// How long one step may take, in µs.
    public var stepMicroseconds: UInt64 = 10_000_000
    /// How long a direct try may take where a scan could follow, in µs.
    public var directMicroseconds: UInt64 = 5_000_000
    /// How long to go on without progress once the device was there, in µs.
    public var giveUpMicroseconds: UInt64 = 300_000_000
    /// How long raising the link's security may take, in µs: pairing may ask a person, for which
    /// the Security Manager allows 30 s (Core 5.4, Vol 3, Part H, 3.4). Never less than a step.
    public var pairingMicroseconds: UInt64 = 30_000_000
    /// True where whoever uses the link asks the device who it is (``LifecycleEvent/disowned``):
    /// then a peer that was only found by what it advertises may turn out to be another device.
    public var checksIdentity = false
    /// True where the device is known to exist: then it is waited for. A device that was never
    /// seen is looked for once.
    public var wasSeen = false

    /// A device by its addresses, what it advertises, or both.
    public init(peers: [PeerID], filter: ScanFilter? = nil, service: BluetoothUUID? = nil) {
        self.peers = peers
        self.filter = filter
        self.service = service
    }

    /// What to call it where it was not found.
    var wantedPeer: PeerID { PeerID(label) }

    /// For messages, and for the jitter.
    var label: String {
        title ?? peers.first?.rawValue ?? filter?.name?.description ?? "with that service"
    }
}

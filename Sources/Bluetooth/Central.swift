/// The role that scans and connects. One adapter, or one simulated radio.
public protocol Central: Sendable {
    /// The kind of connection that this backend makes.
    associatedtype Connection: CentralConnection
    /// What a scan hands out.
    associatedtype Advertisements: AsyncSequence & Sendable
    where Advertisements.Element == Advertisement, Advertisements.Failure == BluetoothError

    /// This backend's clock.
    var now: LinkInstant { get }

    /// Whether the adapter is there and switched on.
    var isPowered: Bool { get }

    /// The most links that the adapter holds at once; nil where that cannot be known.
    var maximumConnections: Int? { get }

    /// Waits until `deadline` on this backend's clock.
    func sleep(until deadline: LinkInstant) async throws(BluetoothError)

    /// Waits until `deadline` as ``sleep(until:)`` does, for whoever watches over an operation that
    /// may never answer. The difference is for virtual clocks: a watcher lets no time pass, or the
    /// deadline of an operation whose task is just about to go on would come first.
    func waitBeside(until deadline: LinkInstant) async throws(BluetoothError)

    /// Waits until the adapter is switched on; ``BluetoothError/poweredOff`` at the deadline.
    func waitUntilPowered(until deadline: LinkInstant) async throws(BluetoothError)

    /// Each new advertisement that matches, until the deadline. The scan begins with the first
    /// `next()` and ends with the sequence's iterator: leaving the loop stops it.
    func advertisements(_ filter: ScanFilter, until deadline: LinkInstant) -> Advertisements

    /// The peers that offer a service and that this computer has a link to already, whoever made
    /// it: connecting to them takes no scan. Empty where a backend cannot know.
    func linkedPeers(offering service: BluetoothUUID, until deadline: LinkInstant)
        async throws(BluetoothError) -> [PeerID]

    /// Connects, exchanges the ATT MTU, and asks for the longest packets and the fastest PHY.
    /// Where the adapter holds as many links as it can, ``BluetoothError/connectionLimit``.
    func connect(to peer: PeerID, until deadline: LinkInstant) async throws(BluetoothError)
        -> Connection

    /// Forgets this computer's keys of a peer; no error where there are none.
    func forget(_ peer: PeerID) async throws(BluetoothError)

    /// Whether this computer has keys of a peer; nil where that cannot be known.
    func isBonded(with peer: PeerID) -> Bool?
}

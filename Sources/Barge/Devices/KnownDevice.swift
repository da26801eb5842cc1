import Bluetooth

/// A device that was talked to before. It is who its serial says, whatever its address and its
/// name are today.
public struct KnownDevice: Hashable, Sendable {
    /// Its identity, the same for its life.
    public let serial: String
    /// What sort of device it is, in its own words.
    public var model: String
    /// Where it was found, the latest first; at most ``mostPeers``, and no two alike.
    public var peers: [PeerID]
    /// The name that it advertised last; nil where it never said one.
    public var name: String?
    /// What its user calls it.
    public var alias: DeviceAlias?
    /// When it was last talked to, in seconds since 1970-01-01T00:00Z.
    public var lastSeenSeconds: UInt64

    /// A device that was just met.
    public init(
        serial: String, model: String, peers: [PeerID], name: String? = nil,
        alias: DeviceAlias? = nil, lastSeenSeconds: UInt64
    ) {
        self.serial = serial
        self.model = model
        self.peers = Array(peers.prefix(Self.mostPeers))
        self.name = name
        self.alias = alias
        self.lastSeenSeconds = lastSeenSeconds
    }

    /// The most addresses that are kept: one of today, and a few to try for a device that changes
    /// between some.
    public static let mostPeers = 4

    /// What a person knows it by: the alias, else the name, else the serial.
    public var title: String { alias?.text ?? name ?? serial }

    /// Puts an address where it is looked for first.
    mutating func found(at peer: PeerID) {
        lose(peer)
        peers = [peer] + peers.prefix(Self.mostPeers - 1)
    }

    /// Forgets an address that is another device's now.
    mutating func lose(_ peer: PeerID) { peers.removeAll { $0 == peer } }
}

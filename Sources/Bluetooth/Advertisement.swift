/// Which peer: opaque, for the backend to make sense of. Linux puts an address in it, Apple a
/// UUID of its own, the simulator a name.
public struct PeerID: Hashable, Sendable, CustomStringConvertible {
    /// The backend's own spelling.
    public let rawValue: String

    /// A peer by the backend's spelling.
    public init(_ rawValue: String) { self.rawValue = rawValue }

    /// The backend's own spelling.
    public var description: String { rawValue }
}

/// What was heard from an advertiser.
public struct Advertisement: Hashable, Sendable {
    /// Whom to connect to.
    public var peer: PeerID
    /// Its name, if it said one.
    public var localName: String?
    /// The services that it announced.
    public var serviceUUIDs: [BluetoothUUID]
    /// Data that belongs to a service, by that service.
    public var serviceData: [BluetoothUUID: [UInt8]]
    /// A company's data, if there were any.
    public var manufacturerData: ManufacturerData?
    /// Received strength in dBm; absent where the backend cannot know.
    public var rssiDBm: Int?

    /// An advertisement with everything but the peer empty.
    public init(peer: PeerID) {
        self.peer = peer
        localName = nil
        serviceUUIDs = []
        serviceData = [:]
        manufacturerData = nil
        rssiDBm = nil
    }
}

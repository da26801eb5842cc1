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

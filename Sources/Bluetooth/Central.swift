/// The role that scans and connects. One adapter, or one simulated radio.
public protocol Central: Sendable {
    /// The kind of connection that this backend makes.
    associatedtype Connection: CentralConnection

    /// This backend's clock.
    var now: LinkInstant { get }

    /// Waits until `deadline` on this backend's clock.
    func sleep(until deadline: LinkInstant) async throws(BluetoothError)

    /// Hands each new advertisement that matches to `body` until that answers false or the
    /// deadline passes.
    func scan(
        _ filter: ScanFilter, until deadline: LinkInstant,
        body: @Sendable (Advertisement) -> Bool
    ) async throws(BluetoothError)

    /// Connects, exchanges the ATT MTU, and asks for the longest packets and the fastest PHY.
    func connect(to peer: PeerID, until deadline: LinkInstant) async throws(BluetoothError)
        -> Connection
}

/// A link that this side began, with the peer's attributes and channels on it.
///
/// Nothing here waits but the `async` functions. Values are handed over and taken without
/// waiting, and ``waitUntilReady(for:until:)`` waits for more of either: so one task can drive a
/// transfer in both directions, in an order that does not depend on a scheduler.
public protocol CentralConnection: Sendable {
    /// The kind of channel that this backend makes.
    associatedtype Channel: L2CAPChannel

    /// The peer at the other end.
    var peer: PeerID { get }
    /// What is known of the link now.
    var parameters: LinkParameters { get }
    /// This backend's clock.
    var now: LinkInstant { get }

    /// Raises the link to `level`, pairing if need be; fails where it is not reached.
    func secure(_ level: SecurityLevel, until deadline: LinkInstant) async throws(BluetoothError)

    /// The characteristics of a service, read anew from the peer.
    func discover(service: BluetoothUUID, until deadline: LinkInstant)
        async throws(BluetoothError) -> [GATTCharacteristic]

    /// The whole value of a characteristic.
    func readValue(of characteristic: GATTCharacteristic, until deadline: LinkInstant)
        async throws(BluetoothError) -> [UInt8]

    /// Turns notifications on or off, and waits for the peer's confirmation.
    func setNotifications(
        _ enabled: Bool, of characteristic: GATTCharacteristic, until deadline: LinkInstant
    ) async throws(BluetoothError)

    /// Writes a value and waits for the peer's response.
    func write(
        _ value: [UInt8], to characteristic: GATTCharacteristic, until deadline: LinkInstant
    ) async throws(BluetoothError)

    /// Hands over one write without response; false where the stack is full now.
    func writeWithoutResponse(_ value: [UInt8], to characteristic: GATTCharacteristic)
        throws(BluetoothError) -> Bool

    /// The oldest notification not yet taken; nil where there is none now.
    func nextNotification(of characteristic: GATTCharacteristic)
        throws(BluetoothError) -> [UInt8]?

    /// Waits until a notification is there, or a write without response would be taken.
    func waitUntilReady(for interest: Interest, until deadline: LinkInstant)
        async throws(BluetoothError) -> Readiness

    /// Opens a connection-oriented channel; `receiveMTU` is the longest SDU that we take.
    func openChannel(_ psm: PSM, receiveMTU: Int, until deadline: LinkInstant)
        async throws(BluetoothError) -> Channel

    /// Ends the link and waits until it is gone.
    func disconnect() async
}

/// A characteristic as discovery found it.
public struct GATTCharacteristic: Hashable, Sendable {
    /// Its name.
    public let uuid: BluetoothUUID
    /// Its value's handle, or the backend's own number for it.
    public let handle: UInt16
    /// What it allows.
    public let properties: GATTProperties

    /// A characteristic by name, handle and properties.
    public init(uuid: BluetoothUUID, handle: UInt16, properties: GATTProperties) {
        self.uuid = uuid
        self.handle = handle
        self.properties = properties
    }
}

/// What a characteristic allows (Core 5.4, Vol 3, Part G, 3.3.1.1).
public struct GATTProperties: OptionSet, Hashable, Sendable {
    /// The bits as they are on the air.
    public let rawValue: UInt8

    /// Properties from the bits on the air.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Its value can be read.
    public static let read = GATTProperties(rawValue: 0x02)
    /// Its value can be written without a response.
    public static let writeWithoutResponse = GATTProperties(rawValue: 0x04)
    /// Its value can be written, with a response.
    public static let write = GATTProperties(rawValue: 0x08)
    /// It notifies.
    public static let notify = GATTProperties(rawValue: 0x10)
}

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

    /// Raises the link to `level`, pairing if need be; fails where it is not reached. With keys on
    /// both sides nobody is asked. A bond that one side has lost is
    /// ``BluetoothError/pairingRemoved(by:)``, never a reason for a new pairing or a lower level.
    /// - Parameter delegate: answers what pairing asks; without one only Just Works is possible.
    func secure(
        _ level: SecurityLevel, answering delegate: (any PairingDelegate)?,
        until deadline: LinkInstant
    ) async throws(BluetoothError)

    /// The primary services of a name, read anew from the peer; empty where it has none.
    func discoverServices(_ uuid: BluetoothUUID, until deadline: LinkInstant)
        async throws(BluetoothError) -> [GATTService]

    /// The characteristics of a service.
    func discoverCharacteristics(of service: GATTService, until deadline: LinkInstant)
        async throws(BluetoothError) -> [GATTCharacteristic]

    /// The whole value of a characteristic.
    func readValue(of characteristic: GATTCharacteristic, until deadline: LinkInstant)
        async throws(BluetoothError) -> [UInt8]

    /// Turns notifications on or off, and waits for the peer's confirmation.
    func setNotifications(
        _ enabled: Bool, of characteristic: GATTCharacteristic, until deadline: LinkInstant
    ) async throws(BluetoothError)

    /// The longest value that is taken at once in this way of writing.
    func maximumWriteBytes(for type: GATTWriteType) -> Int

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

    /// Waits until the link is gone, and answers why; throws only where the task is canceled.
    func waitUntilLost() async throws(BluetoothError) -> LinkLossReason

    /// Ends the link and waits until it is gone.
    func disconnect() async
}

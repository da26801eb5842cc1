public import Bluetooth

/// A link of a simulated radio.
public struct SimulatedConnection: CentralConnection {
    private let handle: LinkHandle
    /// The device at the other end.
    public let peer: PeerID

    init(radio: SimulatedRadio, id: ConnectionID, peer: PeerID) {
        handle = LinkHandle(radio: radio, id: id)
        self.peer = peer
    }

    var radio: SimulatedRadio { handle.radio }
    /// The link's number in its world.
    public var id: ConnectionID { handle.id }

    /// All that is known of the link.
    public var parameters: LinkParameters { radio.withWorld { $0.parameters(of: id) } }
    /// The world's clock.
    public var now: LinkInstant { radio.now }

    /// Raises the link to `level`, pairing if need be.
    public func secure(
        _ level: SecurityLevel, answering delegate: (any PairingDelegate)?,
        until deadline: LinkInstant
    ) async throws(BluetoothError) {
        try await radio.secure(id, at: level, answering: delegate, until: deadline)
    }

    /// The services of a name.
    public func discoverServices(
        _ uuid: BluetoothUUID, until deadline: LinkInstant
    ) async throws(BluetoothError) -> [GATTService] {
        let value = try await radio.perform("discovering services", until: deadline) {
            world throws(BluetoothError) in
            try world.begin(.findService(uuid), on: world.link(id))
        }
        guard case .services(let found) = value else { return [] }
        return found
    }

    /// The characteristics of a service.
    public func discoverCharacteristics(
        of service: GATTService, until deadline: LinkInstant
    ) async throws(BluetoothError) -> [GATTCharacteristic] {
        let value = try await radio.perform("discovering characteristics", until: deadline) {
            world throws(BluetoothError) in
            try world.begin(.readDeclarations(service.handles, found: []), on: world.link(id))
        }
        guard case .characteristics(let found) = value else { return [] }
        return found
    }

    /// The whole value of a characteristic.
    public func readValue(
        of characteristic: GATTCharacteristic, until deadline: LinkInstant
    ) async throws(BluetoothError) -> [UInt8] {
        let value = try await radio.perform("reading a value", until: deadline) {
            world throws(BluetoothError) in
            try world.begin(.read(characteristic.handle, soFar: []), on: world.link(id))
        }
        guard case .value(let bytes) = value else { return [] }
        return bytes
    }

    /// Turns notifications on or off.
    public func setNotifications(
        _ enabled: Bool, of characteristic: GATTCharacteristic, until deadline: LinkInstant
    ) async throws(BluetoothError) {
        _ = try await radio.perform("subscribing", until: deadline) {
            world throws(BluetoothError) in
            try world.beginConfiguring(enabled, characteristic, on: world.link(id))
        }
    }

    /// What one PDU carries: there are no prepared writes here.
    public func maximumWriteBytes(for type: GATTWriteType) -> Int {
        ATT.maximumValueBytes(mtu: parameters.attMTU ?? ATT.defaultMTU)
    }

    /// Writes a value and waits for the response. A value that one PDU does not hold is refused.
    public func write(
        _ value: [UInt8], to characteristic: GATTCharacteristic, until deadline: LinkInstant
    ) async throws(BluetoothError) {
        _ = try await radio.perform("writing a value", until: deadline) {
            world throws(BluetoothError) in
            try world.beginWriting(value, characteristic, on: world.link(id))
        }
    }

    /// Hands over one write without response; false where the queue is full now.
    public func writeWithoutResponse(
        _ value: [UInt8], to characteristic: GATTCharacteristic
    ) throws(BluetoothError) -> Bool {
        try radio.withWorld { world throws(BluetoothError) in
            try world.writeWithoutResponse(value, to: characteristic, on: id)
        }
    }

    /// The oldest notification not yet taken.
    public func nextNotification(
        of characteristic: GATTCharacteristic
    ) throws(BluetoothError) -> [UInt8]? {
        try radio.withWorld { world throws(BluetoothError) in
            try world.nextNotification(of: characteristic, on: id)
        }
    }

    /// Waits until a notification is there, or a write without response would be taken.
    public func waitUntilReady(
        for interest: Interest, until deadline: LinkInstant
    ) async throws(BluetoothError) -> Readiness {
        let isReady = try await radio.wait(for: .connection(id, interest), until: deadline)
        return isReady ? .ready : .deadlinePassed
    }

    /// Opens a channel.
    public func openChannel(
        _ psm: PSM, receiveMTU: Int, until deadline: LinkInstant
    ) async throws(BluetoothError) -> SimulatedChannel {
        let value = try await radio.perform("opening a channel", until: deadline) {
            world throws(BluetoothError) in
            try world.beginOpening(psm, receiveMTU: receiveMTU, on: world.link(id))
        }
        guard case .channel(let channel) = value else { throw .timedOut("opening a channel") }
        return SimulatedChannel(radio: radio, id: channel)
    }

    /// Waits until the link is gone.
    public func waitUntilLost() async throws(BluetoothError) -> LinkLossReason {
        while true {
            _ = try await radio.wait(for: .lost(id), until: .distantFuture)
            if let reason = radio.withWorld({ $0.lossReason(of: id) }) { return reason }
        }
    }

    /// Ends the link, and waits until it is gone: at the latest when it would be given up. A
    /// canceled task does not wait; the link ends all the same.
    public func disconnect() async {
        let end = now.advanced(microseconds: Self.longestDisconnectMicroseconds)
        _ = try? await radio.perform("disconnecting", until: end) {
            world throws(BluetoothError) in
            try world.beginDisconnecting(world.link(id))
        }
    }

    /// The longest supervision timeout there is (Core 5.4, Vol 6, Part B, 4.5.2), and then some.
    private static let longestDisconnectMicroseconds: UInt64 = 33_000_000
}

/// Tells the world when nobody has the connection any more.
private final class LinkHandle: Sendable {
    let radio: SimulatedRadio
    let id: ConnectionID

    init(radio: SimulatedRadio, id: ConnectionID) {
        self.radio = radio
        self.id = id
    }

    deinit { radio.leave(.link(id)) }
}

import Barge
import BargeProtocol
import Bluetooth
import Synchronization

/// The central's role over Unix sockets: a peer's identifier is the path at which it listens, and
/// each connection is a link. There is no radio, so nothing is found by scanning.
struct SocketCentral: Central {
    /// The ATT MTU of a link that has the GATT pipe only; nil: it has the CoC pipe only.
    let mtu: Int?
    /// Which of the two ways of writing the device's characteristic allows (BTP-027).
    var uploadProperties: GATTProperties = [.write, .writeWithoutResponse]
    private let clock = LeapingClock()

    init(mtu: Int?) { self.mtu = mtu }

    var now: LinkInstant { clock.now }

    /// A pause before another try is over at once.
    func sleep(until deadline: LinkInstant) async throws(BluetoothError) {
        clock.leap(to: deadline)
    }

    func waitBeside(until deadline: LinkInstant) async throws(BluetoothError) {
        let left = deadline.microseconds(since: now)
        do {
            try await Task.sleep(for: .microseconds(Int64(left)))
        } catch {
            throw .canceled
        }
    }

    var isPowered: Bool { true }
    var maximumConnections: Int? { nil }

    func waitUntilPowered(until deadline: LinkInstant) async throws(BluetoothError) {}

    func advertisements(_ filter: ScanFilter, until deadline: LinkInstant) -> Silence { Silence() }

    func linkedPeers(offering service: BluetoothUUID, until deadline: LinkInstant)
        async throws(BluetoothError) -> [PeerID]
    { [] }

    func forget(_ peer: PeerID) async throws(BluetoothError) {}
    func isBonded(with peer: PeerID) -> Bool? { nil }

    func connect(to peer: PeerID, until deadline: LinkInstant) async throws(BluetoothError)
        -> SocketConnection
    {
        do {
            let end = SocketEnd(
                descriptor: try UnixSocket.connect(to: peer.rawValue),
                carriesValues: mtu != nil)
            return SocketConnection(
                peer: peer, end: end, mtu: mtu, uploadProperties: uploadProperties, clock: clock)
        } catch {
            throw .peerNotFound(peer)
        }
    }
}

/// A scan that hears nothing.
struct Silence: AsyncSequence, AsyncIteratorProtocol, Sendable {
    func makeAsyncIterator() -> Silence { self }
    func next() async throws(BluetoothError) -> Advertisement? { nil }
    func next(isolation actor: isolated (any Actor)?) async throws(BluetoothError)
        -> Advertisement?
    { nil }
}

/// The real clock, but that whoever sleeps is at the end of his sleep at once.
final class LeapingClock: Sendable {
    private let leapt = Mutex<UInt64>(0)

    var now: LinkInstant {
        LinkInstant(microseconds: UnixSocket.now + leapt.withLock { $0 })
    }

    func leap(to deadline: LinkInstant) {
        let missing = deadline.microseconds(since: now)
        leapt.withLock { $0 += missing }
    }
}

/// A link: one socket, which carries either the channel or the values.
struct SocketConnection: CentralConnection {
    let peer: PeerID
    let end: SocketEnd
    let mtu: Int?
    let uploadProperties: GATTProperties
    let clock: LeapingClock

    var now: LinkInstant { clock.now }

    var parameters: LinkParameters {
        var parameters = LinkParameters()
        parameters.attMTU = mtu
        return parameters
    }

    func secure(
        _ level: SecurityLevel, answering delegate: (any PairingDelegate)?,
        until deadline: LinkInstant
    ) async throws(BluetoothError) {}

    func discoverServices(_ uuid: BluetoothUUID, until deadline: LinkInstant)
        async throws(BluetoothError) -> [GATTService]
    { [GATTService(uuid: uuid, handles: 1...8)] }

    func discoverCharacteristics(of service: GATTService, until deadline: LinkInstant)
        async throws(BluetoothError) -> [GATTCharacteristic]
    {
        guard mtu != nil else {
            return [GATTCharacteristic(uuid: PSM.characteristic, handle: 3, properties: .read)]
        }
        return [
            GATTCharacteristic(
                uuid: BluetoothUUID(bridged: .upload), handle: 5, properties: uploadProperties),
            GATTCharacteristic(
                uuid: BluetoothUUID(bridged: .download), handle: 7, properties: .notify),
        ]
    }

    func readValue(of characteristic: GATTCharacteristic, until deadline: LinkInstant)
        async throws(BluetoothError) -> [UInt8]
    { [0x80, 0x00] }

    func setNotifications(
        _ enabled: Bool, of characteristic: GATTCharacteristic, until deadline: LinkInstant
    ) async throws(BluetoothError) {}

    func maximumWriteBytes(for type: GATTWriteType) -> Int {
        ATT.maximumValueBytes(mtu: mtu ?? ATT.defaultMTU)
    }

    func write(_ value: [UInt8], to characteristic: GATTCharacteristic, until deadline: LinkInstant)
        async throws(BluetoothError)
    {
        while try !writeWithoutResponse(value, to: characteristic) {
            _ = try await waitUntilReady(for: .writing, until: deadline)
        }
    }

    func writeWithoutResponse(_ value: [UInt8], to characteristic: GATTCharacteristic)
        throws(BluetoothError) -> Bool
    {
        guard !end.isOver else { throw .linkLost(.remoteTerminated) }
        return end.put(value: value)
    }

    func nextNotification(of characteristic: GATTCharacteristic) throws(BluetoothError)
        -> [UInt8]?
    {
        end.fill()
        guard let value = end.takeValue() else {
            guard !end.isOver else { throw .linkLost(.remoteTerminated) }
            return nil
        }
        return value
    }

    func waitUntilReady(for interest: Interest, until deadline: LinkInstant)
        async throws(BluetoothError) -> Readiness
    {
        try end.wait(for: interest, until: deadline, clock: clock)
    }

    func openChannel(_ psm: PSM, receiveMTU: Int, until deadline: LinkInstant)
        async throws(BluetoothError) -> SocketChannel
    { SocketChannel(end: end, clock: clock) }

    func waitUntilLost() async throws(BluetoothError) -> LinkLossReason {
        // Whoever uses the link finds out by itself; there is nobody else to tell.
        do {
            while true { try await Task.sleep(for: .seconds(3600)) }
        } catch {
            throw .canceled
        }
    }

    func disconnect() async { end.close() }
}

/// The channel of a link that has one.
struct SocketChannel: L2CAPChannel {
    let end: SocketEnd
    let clock: LeapingClock

    var efficientWriteBytes: Int { 1000 }
    var now: LinkInstant { clock.now }

    func write(_ bytes: UnsafeRawBufferPointer) throws(BluetoothError) -> Int {
        guard !end.isOver else { throw .channelClosed }
        return end.put(bytes)
    }

    func read(into buffer: inout [UInt8], maximumBytes: Int) throws(BluetoothError) -> Int {
        end.fill()
        let bytes = end.takeBytes(atMost: maximumBytes)
        if bytes.isEmpty, end.isOver { throw .linkLost(.remoteTerminated) }
        buffer.append(contentsOf: bytes)
        return bytes.count
    }

    func waitUntilReady(for interest: Interest, until deadline: LinkInstant)
        async throws(BluetoothError) -> Readiness
    {
        try end.wait(for: interest, until: deadline, clock: clock)
    }

    func close() { end.close() }
}

extension SocketEnd {
    /// Blocks its thread: a test has nothing else to do on it.
    func wait(
        for interest: Interest, until deadline: LinkInstant, clock: LeapingClock
    ) throws(BluetoothError) -> Readiness {
        while true {
            guard !Task.isCancelled else { throw .canceled }
            flush()
            fill()
            if isOver || interest.contains(.reading) && hasArrived { return .ready }
            if interest.contains(.writing), hasRoom { return .ready }
            let left = deadline.microseconds(since: clock.now)
            guard left > 0 else { return .deadlinePassed }
            UnixSocket.wait(
                [(descriptor, true, hasUnsent)], milliseconds: Int(left / 1000) + 1)
        }
    }
}

extension BluetoothUUID {
    /// The protocol's own names as Bluetooth has them.
    init(bridged identifier: ServiceIdentifier) {
        self.init(high: identifier.high, low: identifier.low)
    }
}

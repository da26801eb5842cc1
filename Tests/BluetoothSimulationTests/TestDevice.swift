import Bluetooth
import BluetoothSimulation

/// An application that takes bytes and sends bytes: a sink that remembers what it got, a source
/// that sends a pattern, and an echo, over channels and over ATT.
final class TestDevice: PeripheralApplication {
    enum Role {
        case sink
        case source(bytes: Int)
        case echo
        /// Does what the first byte of a written value says: 1 disconnects, 2 loses power for
        /// 300 ms, 3 wakes up a second later, 4 closes the last channel.
        case obedient
        /// Takes nothing.
        case lazy
    }

    static let service = BluetoothUUID(0xFFF0)
    static let input = BluetoothUUID(high: 0x0000_FFF1_0000_4000, low: 0x8000_1234_5678_9ABC)
    static let output = BluetoothUUID(high: 0x0000_FFF2_0000_4000, low: 0x8000_1234_5678_9ABC)
    static let readable = BluetoothUUID(0xFFF3)

    var role: Role
    var receiveMTU = 65_535
    var receiveBufferBytes = 80 * 247
    var security = SecurityLevel.none
    var characteristicSecurity = SecurityLevel.none
    var value: [UInt8] = [1, 2, 3]
    var notificationBytes = 20
    /// Whether it takes what is left when a channel is gone.
    var readsAtClose = true
    var keepsBytes = true
    var localName = "test"
    private(set) var advertisingError: BluetoothError?
    /// What it answers to a value of one byte that is an error's code.
    var refusedCodes: Set<UInt8> = []

    private(set) var received: [UInt8] = []
    private(set) var receivedCount = 0
    private(set) var receivedAt = LinkInstant.zero
    private(set) var values: [[UInt8]] = []
    private(set) var wokeAt: LinkInstant?
    private(set) var events: [PeripheralEvent] = []
    private var sent = 0
    private var notified = 0
    private var notificationTarget: ConnectionID?
    private var buffer: [UInt8] = []

    init(_ role: Role) { self.role = role }

    func handle(_ event: PeripheralEvent, on stack: inout some PeripheralStack) {
        if keepsBytes { events.append(event) }
        switch event {
        case .poweredOn: start(&stack)
        case .channelOpened(let channel, _), .channelWritable(let channel): send(channel, &stack)
        case .channelReadable(let channel): take(channel, &stack)
        case .valueWritten(let value, _, let connection):
            if case .obedient = role { obey(value.first, connection, &stack) }
            receivedCount += value.count
            receivedAt = stack.now
            if keepsBytes { values.append(value) }
        case .notificationsChanged(true, _, let connection):
            notificationTarget = connection
            notify(&stack)
        case .notificationsChanged(false, _, _): notificationTarget = nil
        case .notificationQueueReady: notify(&stack)
        case .channelClosed(let channel): if readsAtClose { take(channel, &stack) }
        case .woke: wokeAt = stack.now
        case .connected, .disconnected: break
        }
    }

    func value(of characteristic: BluetoothUUID, for connection: ConnectionID)
        -> Result<[UInt8], ATTError>
    { .success(value) }

    func admit(
        _ value: [UInt8], to characteristic: BluetoothUUID, on connection: ConnectionID
    ) -> ATTError? {
        guard let code = value.first, refusedCodes.contains(code) else { return nil }
        return ATTError(code: code)
    }

    private func start(_ stack: inout some PeripheralStack) {
        sent = 0
        stack.publish(
            GATTServiceDeclaration(
                uuid: Self.service,
                characteristics: [
                    .init(
                        uuid: Self.input, properties: [.write, .writeWithoutResponse],
                        security: characteristicSecurity),
                    .init(
                        uuid: Self.output, properties: [.notify], security: characteristicSecurity),
                    .init(
                        uuid: Self.readable, properties: [.read], security: characteristicSecurity),
                ]))
        stack.listen(
            on: testPSM, receiveMTU: receiveMTU, receiveBufferBytes: receiveBufferBytes,
            security: security)
        var advertisement = Advertisement(peer: PeerID("?"))
        advertisement.localName = localName
        advertisement.serviceUUIDs = [Self.service]
        do throws(BluetoothError) {
            try stack.advertise(advertisement)
        } catch {
            advertisingError = error
        }
    }

    private func obey(
        _ order: UInt8?, _ connection: ConnectionID, _ stack: inout some PeripheralStack
    ) {
        switch order {
        case 1: stack.disconnect(connection)
        case 2: stack.resetDevice(offMicroseconds: 300_000)
        case 3: stack.wake(at: stack.now.advanced(microseconds: 1_000_000))
        case 4:
            for case .channelOpened(let channel, _) in events.suffix(5) { stack.close(channel) }
        default: break
        }
    }

    private func take(_ channel: ChannelID, _ stack: inout some PeripheralStack) {
        if case .lazy = role { return }
        if !keepsBytes { received.removeAll(keepingCapacity: true) }
        let start = received.count
        let count = stack.read(from: channel, into: &received, maximumBytes: .max)
        receivedCount += count
        receivedAt = stack.now
        if case .echo = role {
            let fresh = Array(received[start...])
            _ = fresh.withUnsafeBytes { stack.write($0, to: channel) }
        }
    }

    private func send(_ channel: ChannelID, _ stack: inout some PeripheralStack) {
        guard case .source(let bytes) = role else { return }
        while sent < bytes {
            let count = min(stack.efficientWriteBytes(of: channel), bytes - sent)
            let piece = pattern(sent..<sent + count)
            let taken = piece.withUnsafeBytes { stack.write($0, to: channel) }
            sent += taken
            if taken < count { return }
        }
    }

    private func notify(_ stack: inout some PeripheralStack) {
        guard case .source(let bytes) = role, let target = notificationTarget else { return }
        while notified < bytes {
            let piece = pattern(notified..<min(notified + notificationBytes, bytes))
            guard stack.notify(piece, of: Self.output, on: target) else { return }
            notified += piece.count
        }
    }
}

let testPeer = PeerID("device")

/// The first PSM that is a device's own.
let testPSM: PSM = {
    guard let psm = PSM(0x0080) else { preconditionFailure("0x0080 is a PSM") }
    return psm
}()

/// Bytes whose order and completeness can be told from them.
func pattern(_ range: Range<Int>) -> [UInt8] {
    range.map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
}

extension LinkInstant {
    static func seconds(_ seconds: Double) -> LinkInstant {
        LinkInstant(microseconds: UInt64(seconds * 1_000_000))
    }
}

extension SimulatedWorld {
    func after(seconds: Double) -> LinkInstant {
        now.advanced(microseconds: UInt64(seconds * 1_000_000))
    }
}

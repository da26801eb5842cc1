import BargeProtocol
import Bluetooth
import BluetoothSimulation

/// A device that a test plays by hand, and that need not keep to the protocol: it says HELLO, and
/// answers each of the host's frames with the bytes that `answer` gives.
final class HandPlayedDevice: PeripheralApplication {
    static let peer = PeerID("sim:hand")
    private let hello: Hello
    private let psmValue: [UInt8]
    private let answer: (_ message: Message, _ tag: UInt8) -> [UInt8]
    private var arrived: [UInt8] = []
    private var waiting: [UInt8] = []

    init(
        hello: Hello, psmValue: [UInt8],
        answer: @escaping (_ message: Message, _ tag: UInt8) -> [UInt8]
    ) {
        self.hello = hello
        self.psmValue = psmValue
        self.answer = answer
    }

    /// A radio with this device on it.
    static func radio(
        hello: Hello, psmValue: [UInt8] = [0x80, 0],
        answer: @escaping @Sendable (_ message: Message, _ tag: UInt8) -> [UInt8]
    ) -> SimulatedRadio {
        let world = SimulatedWorld(seed: 1)
        world.addDevice(
            DeviceConfiguration(peer: peer),
            application: HandPlayedDevice(hello: hello, psmValue: psmValue, answer: answer))
        return SimulatedRadio(world: world)
    }

    func value(of characteristic: BluetoothUUID, for connection: ConnectionID)
        -> Result<[UInt8], ATTError>
    { .success(psmValue) }

    func handle(_ event: PeripheralEvent, on stack: inout some PeripheralStack) {
        switch event {
        case .poweredOn: publish(&stack)
        case .channelOpened(let channel, _):
            arrived = []
            waiting = frame(.hello(hello), tag: 0)
            flush(channel, &stack)
        case .channelReadable(let channel):
            _ = stack.read(from: channel, into: &arrived, maximumBytes: 1 << 20)
            while let (message, tag) = nextMessage() {
                let bytes = answer(message, tag)
                if case .fin = message, bytes.isEmpty { waiting += frame(.fin, tag: 0) }
                waiting += bytes
            }
            flush(channel, &stack)
        case .channelWritable(let channel): flush(channel, &stack)
        case .connected, .disconnected, .channelClosed, .valueWritten, .notificationsChanged,
            .notificationQueueReady, .woke:
            break
        }
    }

    private func publish(_ stack: inout some PeripheralStack) {
        let service = BluetoothUUID(
            high: ServiceIdentifier.service.high, low: ServiceIdentifier.service.low)
        let psm = GATTCharacteristicDeclaration(
            uuid: PSM.characteristic, properties: .read, security: .none)
        stack.publish(GATTServiceDeclaration(uuid: service, characteristics: [psm]))
        if let number = PSM(0x80) {
            stack.listen(
                on: number, receiveMTU: 10_000, receiveBufferBytes: 65_536, security: .none)
        }
        try? stack.advertise(Advertisement(peer: Self.peer))
    }

    private func nextMessage() -> (message: Message, tag: UInt8)? {
        var parser = FrameParser()
        parser.maximumBodyBytes = 65_535
        guard let parsed = try? parser.next(in: arrived.span.bytes),
            case .frame(let layout) = parsed
        else { return nil }
        let body = Array(arrived[layout.body])
        arrived.removeFirst(layout.totalBytes)
        guard let message = try? Message.decode(type: layout.type, body: body.span.bytes)
        else { return nil }
        return (message, layout.tag)
    }

    private func flush(_ channel: ChannelID, _ stack: inout some PeripheralStack) {
        let taken = waiting.withUnsafeBytes { stack.write($0, to: channel) }
        waiting.removeFirst(taken)
    }
}

/// The bytes of a frame.
func frame(_ message: Message, tag: UInt8, payload: [UInt8] = []) -> [UInt8] {
    var bytes: [UInt8] = []
    message.encode(tag: tag, payload: payload.span.bytes, into: &bytes)
    return bytes
}

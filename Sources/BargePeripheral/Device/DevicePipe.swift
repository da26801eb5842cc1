import BargeCoding
import BargeProtocol
import Bluetooth

/// One pipe to one host: its bytes on the way in and out, and the session that speaks on it.
///
/// On a channel the bytes come and go as they are; over GATT they are cut into values, with the
/// credits of BTP-022.
final class DevicePipe<Flash: FlashMedium, Files: FileMedium> {
    /// What carries a pipe.
    enum Carrier: Hashable {
        case channel(ChannelID, ConnectionID)
        case attributes(ConnectionID)

        var connection: ConnectionID {
            switch self {
            case .channel(_, let connection), .attributes(let connection): connection
            }
        }
    }

    let carrier: Carrier
    var session: DeviceSession
    var parser = FrameParser()
    var transfer: DeviceTransfer<Flash, Files> = .none
    var incoming = ByteQueue()
    var outgoing = ByteQueue()
    /// What an operation on the flash answers: it goes out when the flash is done.
    var afterBusy = ByteQueue()
    /// True once nothing more is taken: FIN or a violation.
    var isClosing = false
    /// True where the channel is to be closed as soon as all is out (BTP-100, channel scope).
    var closesWhenDrained = false

    var attributePipe: GATTPipe
    /// When PROBE is due unless the host is heard before (BTP-026); nil where nothing is awaited.
    private(set) var probeAt: LinkInstant?
    private var valuesToConsume: UInt32 = 0

    /// No more is taken in while so much waits unread: one frame and some.
    private let incomingBound: Int
    /// No more blocks are made while so much waits to go out: enough for the next SDU.
    let outgoingBound: Int

    init(carrier: Carrier, hello: Hello) {
        self.carrier = carrier
        session = DeviceSession(hello: hello)
        attributePipe = GATTPipe(role: .device)
        incomingBound = Int(hello.bodyBytes) + 4096
        outgoingBound = 2 * Int(hello.bodyBytes) + Self.longestSDUBytes
    }

    /// Appends a frame; behind what the flash still works on, if it does.
    func enqueue(_ message: Message, tag: UInt8, isBusy: Bool) {
        if isBusy {
            afterBusy.append { message.encode(tag: tag, into: &$0) }
        } else {
            outgoing.append { message.encode(tag: tag, into: &$0) }
        }
    }

    /// The flash is done: what waited for it goes out.
    func releaseAfterBusy() {
        guard !afterBusy.isEmpty else { return }
        afterBusy.withBytes { bytes in outgoing.append { $0.append(contentsOf: bytes) } }
        afterBusy.removeAll()
    }

    // MARK: In

    /// Takes what the stack holds, as far as there is room; false where nothing came.
    func fill(from stack: inout some PeripheralStack) -> Bool {
        let room = incomingBound - incoming.count
        guard room > 0 else { return false }
        switch carrier {
        case .channel(let channel, _):
            return incoming.append { stack.read(from: channel, into: &$0, maximumBytes: room) } > 0
        case .attributes:
            guard valuesToConsume > 0 else { return false }
            attributePipe.consumed(values: valuesToConsume)
            valuesToConsume = 0
            return false
        }
    }

    /// Takes a value that a host wrote. A new OPEN is a new session (BTP-020).
    func take(value: [UInt8]) -> GATTPipeStep {
        probeAt = nil
        let step = attributePipe.handle(value.span.bytes)
        if case .data = step {
            incoming.append { $0.append(contentsOf: value[1...]) }
            valuesToConsume += 1
        }
        return step
    }

    // MARK: Out

    /// Hands over as much as the stack takes.
    /// - Parameter holdsRest: more will follow, and what does not fill an SDU waits for it.
    func flush(to stack: inout some PeripheralStack, holdsRest: Bool = false) {
        switch carrier {
        case .channel(let channel, _): flush(to: channel, &stack, holdsRest: holdsRest)
        case .attributes(let connection): flush(to: connection, &stack)
        }
    }

    private func flush(
        to channel: ChannelID, _ stack: inout some PeripheralStack, holdsRest: Bool
    ) {
        let piece = min(stack.efficientWriteBytes(of: channel), Self.longestSDUBytes)
        while !outgoing.isEmpty {
            let count = holdsRest ? outgoing.count / piece * piece : outgoing.count
            guard count > 0 else { return }
            let taken = outgoing.withBytes {
                stack.write(UnsafeRawBufferPointer(rebasing: $0[..<count]), to: channel)
            }
            guard taken > 0 else { return }
            outgoing.drop(taken)
        }
        if closesWhenDrained { stack.close(channel) }
    }

    private func flush(to connection: ConnectionID, _ stack: inout some PeripheralStack) {
        let download = BluetoothUUID(.download)
        while let control = attributePipe.nextControl() {
            var value: [UInt8] = []
            control.encode(into: &value)
            guard stack.notify(value, of: download, on: connection) else {
                attributePipe.controlNotTaken(control)
                return
            }
        }
        let limit = Self.valueBytes(stack.parameters(of: connection))
        while !outgoing.isEmpty, attributePipe.canSendData {
            let payload = min(outgoing.count, limit - 1)
            var value = [attributePipe.nextDataHeader()]
            outgoing.withBytes { value.append(contentsOf: $0.prefix(payload)) }
            guard stack.notify(value, of: download, on: connection) else {
                attributePipe.dataNotTaken()
                return
            }
            outgoing.drop(payload)
        }
    }

    /// No SDU is waited for that is longer.
    private static var longestSDUBytes: Int { 16 * 1024 }

    /// Asks for what may have been lost, where a second has passed without it (BTP-026).
    func probeWhereDue(_ now: LinkInstant) {
        guard let probeAt, now >= probeAt else { return }
        self.probeAt = nil
        attributePipe.stalled()
    }

    /// Begins to wait where the next step is the host's: its credit, or its ACK of what was read.
    func awaitHost(_ now: LinkInstant) {
        guard case .attributes = carrier, attributePipe.isOpen, !isClosing else { return }
        let awaitsCredit = !outgoing.isEmpty && !attributePipe.canSendData
        guard awaitsCredit || transfer.isReading else { return probeAt = nil }
        let milliseconds = UInt64(GATTPipe.probeIntervalMilliseconds)
        probeAt = probeAt ?? now.advanced(microseconds: milliseconds * 1000)
    }

    private static func valueBytes(_ parameters: LinkParameters) -> Int {
        ATT.efficientValueBytes(
            mtu: parameters.attMTU ?? ATT.defaultMTU, timing: parameters.timing)
    }
}

/// What a session has open.
enum DeviceTransfer<Flash: FlashMedium, Files: FileMedium> {
    case none
    case writing(DeviceWriting)
    case reading(DeviceReading<Flash, Files>, BlockFramer)

    /// True where blocks go out, and ACKs are to come.
    var isReading: Bool {
        if case .reading = self { return true }
        return false
    }

    /// When a write is idle; nil where nothing waits for that.
    var idleAt: LinkInstant? {
        guard case .writing(let writing) = self else { return nil }
        return writing.idleAt
    }
}

/// An object that a session writes.
final class DeviceWriting {
    let request: WriteRequest
    let unframer: BlockUnframer
    /// When the device calls itself idle unless another block comes (BTP-063); nil where it did.
    var idleAt: LinkInstant?
    private var firstBlock: LinkInstant?
    private var lastBlock: LinkInstant?

    init(_ request: WriteRequest, unframer: BlockUnframer) {
        self.request = request
        self.unframer = unframer
    }

    /// Notes a block's arrival for COMMITTED (BTP-065).
    func blockArrived(at now: LinkInstant) {
        if firstBlock == nil { firstBlock = now }
        lastBlock = now
    }

    var microseconds: UInt64 {
        guard let firstBlock, let lastBlock else { return 0 }
        return lastBlock.microseconds(since: firstBlock)
    }
}

extension BluetoothUUID {
    init(_ identifier: ServiceIdentifier) {
        self.init(high: identifier.high, low: identifier.low)
    }
}

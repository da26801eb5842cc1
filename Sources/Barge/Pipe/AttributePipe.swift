import BargeCoding
import BargeProtocol
import Bluetooth

/// The host's side of the GATT pipe: write commands up, notifications down (BTP-020 to BTP-027).
struct AttributePipe<Connection: CentralConnection>: Pipe {
    private let connection: Connection
    private let upload: GATTCharacteristic
    private let download: GATTCharacteristic
    private var state = GATTPipe(role: .host, creditValues: 32)
    private var arrived = ByteQueue()
    private var valuesToConsume: UInt32 = 0
    /// A value that waits to be written with response: the way of devices that offer nothing else
    /// (BTP-027). One at a time.
    private var awaitingResponse: [UInt8]?

    init(connection: Connection, upload: GATTCharacteristic, download: GATTCharacteristic) {
        self.connection = connection
        self.upload = upload
        self.download = download
    }

    var route: Route { .gatt }
    var parameters: LinkParameters { connection.parameters }
    var now: LinkInstant { connection.now }
    var efficientWriteBytes: Int { valueBytes - 1 }

    private var valueBytes: Int {
        let parameters = parameters
        let efficient = ATT.efficientValueBytes(
            mtu: parameters.attMTU ?? ATT.defaultMTU, timing: parameters.timing)
        return min(efficient, connection.maximumWriteBytes(for: writeType))
    }

    /// Without response where that is allowed (BTP-027).
    private var writeType: GATTWriteType {
        GATTWriteType(for: upload.properties) ?? .withResponse
    }

    var ceilingBytesPerSecond: Double? {
        let parameters = parameters
        guard let timing = parameters.timing else { return nil }
        let ceiling = LinkCeiling(
            timing: timing,
            connectionIntervalMicroseconds: parameters.connectionIntervalMicroseconds)
        return ceiling.gattBytesPerSecond(valueBytes: valueBytes)
    }

    /// Turns notifications on, sends OPEN, and waits for OPENED (BTP-020).
    mutating func open(until deadline: LinkInstant) async throws(BluetoothError) {
        try await connection.setNotifications(true, of: download, until: deadline)
        state.open()
        while !state.isOpen {
            try sendControls()
            try takeValues()
            guard !state.isOpen else { return }
            guard try await wait(for: .reading, until: deadline) == .ready else {
                throw .timedOut("opening the GATT pipe")
            }
        }
    }

    mutating func write(_ bytes: UnsafeRawBufferPointer) throws(BluetoothError) -> Int {
        try sendControls()
        let limit = valueBytes
        var taken = 0
        while taken < bytes.count, state.canSendData {
            let payload = min(bytes.count - taken, limit - 1)
            var value = [state.nextDataHeader()]
            value.append(contentsOf: bytes[taken..<taken + payload])
            guard try send(value) else {
                state.dataNotTaken()
                break
            }
            taken += payload
        }
        return taken
    }

    mutating func read(into buffer: inout [UInt8], maximumBytes: Int) throws(BluetoothError)
        -> Int
    {
        try takeValues()
        let count = min(arrived.count, maximumBytes)
        guard count > 0 else { return 0 }
        arrived.withBytes { buffer.append(contentsOf: $0.prefix(count)) }
        arrived.drop(count)
        if arrived.isEmpty {
            state.consumed(values: valuesToConsume)
            valuesToConsume = 0
            try sendControls()
        }
        return count
    }

    mutating func waitUntilReady(for interest: Interest, until deadline: LinkInstant)
        async throws(BluetoothError) -> Readiness
    {
        try sendControls()
        guard arrived.isEmpty else { return .ready }
        // Without credit it is the peer's CREDIT that makes the pipe writable, not the stack.
        let needsCredit = interest.contains(.writing) && !state.canSendData
        let actual: Interest =
            needsCredit ? interest.subtracting(.writing).union(.reading) : interest
        return try await wait(for: actual, until: deadline)
    }

    mutating func close() async { await connection.unsubscribe(from: download) }

    /// Waits a second at a time, and asks for what may have been lost (BTP-026).
    private mutating func wait(for interest: Interest, until deadline: LinkInstant)
        async throws(BluetoothError) -> Readiness
    {
        let second = UInt64(GATTPipe.probeIntervalMilliseconds) * 1000
        while true {
            let slice = min(deadline, connection.now.advanced(microseconds: second))
            if let value = awaitingResponse {
                try await connection.write(value, to: upload, until: deadline)
                awaitingResponse = nil
                return .ready
            }
            let readiness = try await connection.waitUntilReady(for: interest, until: slice)
            guard readiness == .deadlinePassed, slice < deadline else { return readiness }
            state.stalled()
            try sendControls()
        }
    }

    /// Hands one value over; false where nothing is taken now.
    private mutating func send(_ value: [UInt8]) throws(BluetoothError) -> Bool {
        switch writeType {
        case .withoutResponse: return try connection.writeWithoutResponse(value, to: upload)
        case .withResponse:
            guard awaitingResponse == nil else { return false }
            awaitingResponse = value
            return true
        }
    }

    private mutating func sendControls() throws(BluetoothError) {
        while let control = state.nextControl() {
            var value: [UInt8] = []
            control.encode(into: &value)
            guard try send(value) else {
                state.controlNotTaken(control)
                return
            }
        }
    }

    private mutating func takeValues() throws(BluetoothError) {
        while let value = try connection.nextNotification(of: download) {
            switch state.handle(value.span.bytes) {
            case .data:
                arrived.append { $0.append(contentsOf: value[1...]) }
                valuesToConsume += 1
            case .broken:
                // The device is told, if it still listens; the pipe is lost either way.
                try? sendControls()
                throw .channelClosed
            case .none, .opened, .writable: break
            }
        }
    }
}

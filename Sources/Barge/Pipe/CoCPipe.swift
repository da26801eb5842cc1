import Bluetooth

/// The CoC pipe: an L2CAP channel as it is (BTP-010, BTP-011).
struct CoCPipe<Connection: CentralConnection>: Pipe {
    private let connection: Connection
    private let channel: Connection.Channel

    /// The longest SDU that this host takes. Large enough for many full K-frames, so that credits
    /// never run out; far below the SDU sizes at which stacks were seen to stall.
    static var receiveMTU: Int { 16_384 }

    init(channel: Connection.Channel, on connection: Connection) {
        self.channel = channel
        self.connection = connection
    }

    var route: Route { .coc }
    var parameters: LinkParameters { connection.parameters }
    var now: LinkInstant { connection.now }
    var efficientWriteBytes: Int { channel.efficientWriteBytes }

    var ceilingBytesPerSecond: Double? {
        let parameters = parameters
        guard let timing = parameters.timing else { return nil }
        let mps = parameters.peerMPS ?? timing.dataLengthBytes - LinkCeiling.basicHeaderBytes
        let ceiling = LinkCeiling(
            timing: timing,
            connectionIntervalMicroseconds: parameters.connectionIntervalMicroseconds)
        return ceiling.cocBytesPerSecond(sduBytes: efficientWriteBytes, mpsBytes: mps)
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws(BluetoothError) -> Int {
        try channel.write(bytes)
    }

    func read(into buffer: inout [UInt8], maximumBytes: Int) throws(BluetoothError) -> Int {
        try channel.read(into: &buffer, maximumBytes: maximumBytes)
    }

    func waitUntilReady(for interest: Interest, until deadline: LinkInstant)
        async throws(BluetoothError) -> Readiness
    {
        try await channel.waitUntilReady(for: interest, until: deadline)
    }

    func close() async { channel.close() }
}

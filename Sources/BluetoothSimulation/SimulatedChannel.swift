public import Bluetooth

/// A connection-oriented channel of a simulated radio.
public struct SimulatedChannel: L2CAPChannel {
    let radio: SimulatedRadio
    /// The channel's number in its world.
    public let id: ChannelID

    /// How many bytes to write at once so that K-frames are full.
    public var efficientWriteBytes: Int { radio.withWorld { $0.efficientWriteBytes(of: id) } }
    /// The world's clock.
    public var now: LinkInstant { radio.now }

    /// Hands over bytes; returns how many were taken.
    public func write(_ bytes: UnsafeRawBufferPointer) throws(BluetoothError) -> Int {
        try radio.withWorld { world throws(BluetoothError) in try world.write(bytes, to: id) }
    }

    /// Appends what has arrived to `buffer`; returns how many bytes those were.
    public func read(
        into buffer: inout [UInt8], maximumBytes: Int
    ) throws(BluetoothError) -> Int {
        try radio.withWorld { world throws(BluetoothError) in
            try world.read(from: id, into: &buffer, maximumBytes: maximumBytes)
        }
    }

    /// Waits until something can be read or written, as asked.
    public func waitUntilReady(
        for interest: Interest, until deadline: LinkInstant
    ) async throws(BluetoothError) -> Readiness {
        let isReady = try await radio.wait(for: .channel(id, interest), until: deadline)
        return isReady ? .ready : .deadlinePassed
    }

    /// Closes at once: what was not yet sent is lost.
    public func close() { radio.withWorld { $0.close(id) } }
}

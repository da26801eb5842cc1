public import Bluetooth

/// A connection-oriented channel of a simulated radio.
public struct SimulatedChannel: L2CAPChannel {
    private let handle: ChannelHandle

    init(radio: SimulatedRadio, id: ChannelID) { handle = ChannelHandle(radio: radio, id: id) }

    private var radio: SimulatedRadio { handle.radio }
    /// The channel's number in its world.
    public var id: ChannelID { handle.id }

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

/// Tells the world when nobody has the channel any more.
private final class ChannelHandle: Sendable {
    let radio: SimulatedRadio
    let id: ChannelID

    init(radio: SimulatedRadio, id: ChannelID) {
        self.radio = radio
        self.id = id
    }

    deinit { radio.leave(.channel(id)) }
}

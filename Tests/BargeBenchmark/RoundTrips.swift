import Barge
import BargePeripheral
import BargeProtocol
import Bluetooth
import BluetoothSimulation
import Synchronization

/// Round trips from the open channel to the first byte of cargo at the device, as the device sees
/// them: how often the direction of frames changes, by two. Intervals of a second make each of
/// them show in the link's time too, which is printed beside it.
enum RoundTrips {
    static func measure(_ settings: Settings) async throws -> [Figure] {
        try await [Verb.push, .flash].asyncMap { verb in
            let watched = try await watch(verb)
            guard let first = watched.firstCargo, let opened = watched.opened else {
                throw BrokenMeasurement("no cargo was seen")
            }
            let trips = Double(watched.turnsBeforeCargo) / 2
            let seconds = Double(first.microseconds(since: opened)) / 1e6
            return Figure(
                what: "round trips, channel open to first byte of cargo, \(verb.rawValue)",
                goal: "<= 2",
                measured: "\(trips.text(1)) (\(seconds.text(2)) s at an interval of 1 s)",
                isMet: trips <= 2)
        }
    }

    private enum Verb: String {
        case push, flash
    }

    private static func watch(_ verb: Verb) async throws -> StreamWatch.Sight {
        let watch = StreamWatch()
        var bench = try Bench(watch: watch) {
            $0.link.connectionIntervalMicroseconds = 1_000_000
        }
        bench.host.options.stepMicroseconds = 120_000_000
        let source = UploadSource(bytes: Noise(seed: 12).bytes(20_000), name: "cargo")
        switch verb {
        case .push: _ = try await bench.host.push(source, to: bench.device, as: "cargo")
        case .flash: _ = try await bench.host.flash(source, to: bench.device)
        }
        return watch.sight
    }
}

/// Frames on one channel in the order in which the device took and gave them, up to the first byte
/// of a block.
final class StreamWatch: Sendable {
    /// What was seen.
    struct Sight {
        enum Direction {
            case toDevice, toHost
        }

        var opened: LinkInstant?
        var firstCargo: LinkInstant?
        /// How often the direction of frames had changed when the first byte of cargo came.
        var turnsBeforeCargo = 0
        private var direction: Direction?
        private var stream: [UInt8] = []

        mutating func note(_ direction: Direction) {
            guard firstCargo == nil, self.direction != direction else { return }
            if self.direction != nil { turnsBeforeCargo += 1 }
            self.direction = direction
        }

        mutating func take(_ bytes: ArraySlice<UInt8>, at now: LinkInstant) {
            guard firstCargo == nil, !bytes.isEmpty else { return }
            note(.toDevice)
            stream += bytes
            let blocks = [FrameType.storedBlock.rawValue, FrameType.deflatedBlock.rawValue]
            let head = ProtocolLimits.headerBytes + ProtocolLimits.blockHeaderBytes
            while let type = stream.first, stream.count >= ProtocolLimits.headerBytes {
                if blocks.contains(type), stream.count > head { firstCargo = now }
                let body = Int(stream[2]) + Int(stream[3]) << 8
                let frame = ProtocolLimits.headerBytes + body + ProtocolLimits.checkBytes
                guard stream.count >= frame, firstCargo == nil else { return }
                stream.removeFirst(frame)
            }
        }
    }

    private let state = Mutex(Sight())

    var sight: Sight { state.withLock { $0 } }

    func channelOpened(at now: LinkInstant) {
        state.withLock { if $0.opened == nil { $0.opened = now } }
    }

    func given() { state.withLock { $0.note(.toHost) } }

    func taken(_ bytes: ArraySlice<UInt8>, at now: LinkInstant) {
        state.withLock { $0.take(bytes, at: now) }
    }
}

/// A device whose channel is watched; it does what the device in it does.
struct WatchedDevice: PeripheralApplication {
    let device: MemoryDevice
    let watch: StreamWatch

    func handle(_ event: PeripheralEvent, on stack: inout some PeripheralStack) {
        if case .channelOpened = event { watch.channelOpened(at: stack.now) }
        var watched = WatchedStack(stack: stack, watch: watch)
        device.handle(event, on: &watched)
        stack = watched.stack
    }

    func value(of characteristic: BluetoothUUID, for connection: ConnectionID)
        -> Result<[UInt8], ATTError>
    {
        device.value(of: characteristic, for: connection)
    }
}

private struct WatchedStack<Stack: PeripheralStack>: PeripheralStack {
    var stack: Stack
    let watch: StreamWatch

    var now: LinkInstant { stack.now }
    mutating func publish(_ service: GATTServiceDeclaration) { stack.publish(service) }
    mutating func listen(
        on psm: PSM, receiveMTU: Int, receiveBufferBytes: Int, security: SecurityLevel
    ) {
        stack.listen(
            on: psm, receiveMTU: receiveMTU, receiveBufferBytes: receiveBufferBytes,
            security: security)
    }
    mutating func advertise(_ advertisement: Advertisement) throws(BluetoothError) {
        try stack.advertise(advertisement)
    }
    func parameters(of connection: ConnectionID) -> LinkParameters {
        stack.parameters(of: connection)
    }
    mutating func disconnect(_ connection: ConnectionID) { stack.disconnect(connection) }
    func efficientWriteBytes(of channel: ChannelID) -> Int {
        stack.efficientWriteBytes(of: channel)
    }
    mutating func read(
        from channel: ChannelID, into buffer: inout [UInt8], maximumBytes: Int
    ) -> Int {
        let before = buffer.count
        defer { watch.taken(buffer[before...], at: now) }
        return stack.read(from: channel, into: &buffer, maximumBytes: maximumBytes)
    }
    mutating func write(_ bytes: UnsafeRawBufferPointer, to channel: ChannelID) -> Int {
        let taken = stack.write(bytes, to: channel)
        if taken > 0 { watch.given() }
        return taken
    }
    mutating func close(_ channel: ChannelID) { stack.close(channel) }
    mutating func notify(
        _ value: [UInt8], of characteristic: BluetoothUUID, on connection: ConnectionID
    ) -> Bool {
        stack.notify(value, of: characteristic, on: connection)
    }
    mutating func wake(at instant: LinkInstant) { stack.wake(at: instant) }
    mutating func resetDevice(offMicroseconds: UInt64) {
        stack.resetDevice(offMicroseconds: offMicroseconds)
    }
}

import Bluetooth

/// A device's stack that a test plays by hand: it keeps what the device did, and hands it what the
/// test wants.
struct ScriptedStack: PeripheralStack {
    /// Each look at it moves it on by so many µs, as a real one does.
    var clock = ScriptedClock()
    var now: LinkInstant {
        get { clock.look() }
        set { clock.instant = newValue }
    }
    var published: [GATTServiceDeclaration] = []
    var listening: [(psm: PSM, security: SecurityLevel)] = []
    var advertised: [Advertisement] = []
    var disconnected: [ConnectionID] = []
    var closed: [ChannelID] = []
    var resets: [UInt64] = []
    var wakeAt: LinkInstant?
    var incoming: [UInt8] = []
    var outgoing: [UInt8] = []
    var notified: [[UInt8]] = []

    mutating func publish(_ service: GATTServiceDeclaration) { published.append(service) }
    mutating func listen(
        on psm: PSM, receiveMTU: Int, receiveBufferBytes: Int, security: SecurityLevel
    ) { listening.append((psm, security)) }
    mutating func advertise(_ advertisement: Advertisement) { advertised.append(advertisement) }
    func parameters(of connection: ConnectionID) -> LinkParameters { LinkParameters() }
    mutating func disconnect(_ connection: ConnectionID) { disconnected.append(connection) }
    func efficientWriteBytes(of channel: ChannelID) -> Int { 1000 }
    mutating func read(
        from channel: ChannelID, into buffer: inout [UInt8], maximumBytes: Int
    ) -> Int {
        let count = min(incoming.count, maximumBytes)
        buffer += incoming.prefix(count)
        incoming.removeFirst(count)
        return count
    }
    mutating func write(_ bytes: UnsafeRawBufferPointer, to channel: ChannelID) -> Int {
        outgoing += bytes
        return bytes.count
    }
    mutating func close(_ channel: ChannelID) { closed.append(channel) }
    mutating func notify(
        _ value: [UInt8], of characteristic: BluetoothUUID, on connection: ConnectionID
    ) -> Bool {
        notified.append(value)
        return true
    }
    mutating func wake(at instant: LinkInstant) { wakeAt = instant }
    mutating func resetDevice(offMicroseconds: UInt64) { resets.append(offMicroseconds) }
}

/// A clock that stands still, or moves on whenever somebody looks.
final class ScriptedClock {
    var instant = LinkInstant.zero
    var microsecondsPerLook: UInt64 = 0

    func look() -> LinkInstant {
        defer { instant = instant.advanced(microseconds: microsecondsPerLook) }
        return instant
    }
}

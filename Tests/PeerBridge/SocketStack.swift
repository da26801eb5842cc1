import BargeProtocol
import Bluetooth

/// A device's Bluetooth stack over Unix sockets: each connection to its path is a link, with a
/// channel open on it or with notifications turned on.
struct SocketStack: PeripheralStack {
    /// A link's channel has the link's number.
    var links: [UInt32: SocketEnd] = [:]
    /// Links on which something was not taken, to be told when there is room.
    var refused: Set<UInt32> = []
    let mtu: Int?
    private(set) var wakeInstant: LinkInstant?
    private(set) var isResetting = false

    private var leaptMicroseconds: UInt64 = 0

    init(mtu: Int?) { self.mtu = mtu }

    var now: LinkInstant { LinkInstant(microseconds: UnixSocket.now + leaptMicroseconds) }

    mutating func publish(_ service: GATTServiceDeclaration) {}
    mutating func listen(
        on psm: PSM, receiveMTU: Int, receiveBufferBytes: Int, security: SecurityLevel
    ) {}
    mutating func advertise(_ advertisement: Advertisement) {}

    func parameters(of connection: ConnectionID) -> LinkParameters {
        var parameters = LinkParameters()
        parameters.attMTU = mtu
        parameters.connectionIntervalMicroseconds = 7500
        return parameters
    }

    mutating func disconnect(_ connection: ConnectionID) { drop(connection.rawValue) }

    func efficientWriteBytes(of channel: ChannelID) -> Int { 1000 }

    mutating func read(from channel: ChannelID, into buffer: inout [UInt8], maximumBytes: Int)
        -> Int
    {
        guard let end = links[channel.rawValue] else { return 0 }
        end.fill()
        let bytes = end.takeBytes(atMost: maximumBytes)
        buffer.append(contentsOf: bytes)
        return bytes.count
    }

    mutating func write(_ bytes: UnsafeRawBufferPointer, to channel: ChannelID) -> Int {
        guard let end = links[channel.rawValue] else { return 0 }
        let taken = end.put(bytes)
        if taken < bytes.count { refused.insert(channel.rawValue) }
        return taken
    }

    mutating func close(_ channel: ChannelID) { drop(channel.rawValue) }

    mutating func notify(
        _ value: [UInt8], of characteristic: BluetoothUUID, on connection: ConnectionID
    ) -> Bool {
        guard let end = links[connection.rawValue] else { return false }
        let isTaken = end.put(value: value)
        if !isTaken { refused.insert(connection.rawValue) }
        return isTaken
    }

    mutating func wake(at instant: LinkInstant) { wakeInstant = instant }

    mutating func resetDevice(offMicroseconds: UInt64) {
        for number in links.keys { drop(number) }
        isResetting = true
    }

    // MARK: For the server

    mutating func drop(_ number: UInt32) {
        links.removeValue(forKey: number)?.close()
        refused.remove(number)
    }

    /// Goes to the moment of the wake-up at once.
    mutating func leap() {
        leaptMicroseconds += wakeInstant?.microseconds(since: now) ?? 0
    }

    /// True once where the moment has come.
    mutating func takeWake() -> Bool {
        guard let wakeInstant, now >= wakeInstant else { return false }
        self.wakeInstant = nil
        return true
    }

    mutating func takeReset() -> Bool {
        defer { isResetting = false }
        return isResetting
    }
}

import Bluetooth

/// The one interface between a transfer and Bluetooth: an ordered byte stream in both directions,
/// with back-pressure. Frames, FIN and resuming live above it and know no more than this.
///
/// To add a third pipe: implement these functions, and teach ``PipeOpener`` when to choose it. A
/// case of ``Route`` names it, and one of ``HostOptions/Transport`` lets people insist on it.
/// `write` and `read` never wait; `waitUntilReady` does.
protocol Pipe {
    /// What carries it.
    var route: Route { get }
    /// What is known of the link and the pipe now.
    var parameters: LinkParameters { get }
    /// The rate that physics allows on it, in bytes per second; nil where too little is known.
    var ceilingBytesPerSecond: Double? { get }
    /// The backend's clock.
    var now: LinkInstant { get }
    /// How many bytes are worth handing over at once.
    var efficientWriteBytes: Int { get }

    /// Hands over bytes; returns how many were taken, 0 where the pipe is full now.
    mutating func write(_ bytes: UnsafeRawBufferPointer) throws(BluetoothError) -> Int

    /// Appends what has arrived, at most `maximumBytes`; returns the count.
    mutating func read(into buffer: inout [UInt8], maximumBytes: Int) throws(BluetoothError)
        -> Int

    /// Waits until there is something to read, or room to write, as asked.
    mutating func waitUntilReady(for interest: Interest, until deadline: LinkInstant)
        async throws(BluetoothError) -> Readiness

    /// Lets go of what carries it. What was not sent is lost: FIN comes first.
    mutating func close() async
}

/// What carries a transfer.
public enum Route: String, CaseIterable, Hashable, Sendable {
    /// An L2CAP connection-oriented channel.
    case coc
    /// Write commands and notifications.
    case gatt
}

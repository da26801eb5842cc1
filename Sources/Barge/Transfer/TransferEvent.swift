public import Bluetooth

/// What happens in a transfer, in the order in which it does.
public enum TransferEvent: Hashable, Sendable {
    /// Looking for the device.
    case scanning
    /// A link stands.
    case connected(LinkParameters)
    /// The pipe is open, and the device has said who it is.
    case route(RouteInformation)
    /// The device is known by its serial, at this address.
    case met(DeviceSighting)
    /// The bytes begin to move: how many there are, and from which offset on.
    case started(TransferStart)
    /// Bytes have moved.
    case progress(TransferProgress)
    /// Everything below this offset is safe at the receiver.
    case durable(UInt64)
    /// The device is at work: how much is done, out of how much; 0 where it is not known.
    case busy(Activity, done: UInt64, total: UInt64)
    /// The link is lost; another try follows after so many µs.
    case interrupted(BargeError, retryMicroseconds: UInt64)
    /// The device resets, and is waited for.
    case rebooting
    /// It is done.
    case finished(TransferSummary)

    /// What a device can be busy with.
    public enum Activity: String, Hashable, Sendable {
        /// Erasing flash.
        case erasing
        /// Reading back and digesting.
        case verifying
        /// Reading what it holds.
        case reading
    }
}

/// The way that the bytes take, and to whom.
public struct RouteInformation: Hashable, Sendable {
    /// What carries them.
    public let route: Route
    /// Why that is not a CoC; nil where it is.
    public let reason: String?
    /// The channel's PSM; nil over GATT.
    public let psm: PSM?
    /// What is odd about it, though it can be used, without a full stop.
    public let warning: String?
    /// The longest SDU or value that goes out, in bytes.
    public let writeBytes: Int
    /// The device's serial, which outlasts its address; empty where it has none.
    public let serial: String
}

/// How a transfer begins.
public struct TransferStart: Hashable, Sendable {
    /// The object's size in raw bytes.
    public let totalBytes: UInt64
    /// Where it goes on; 0 at a first start.
    public let resumedFrom: UInt64
    /// Raw bytes of a block.
    public let blockBytes: Int
    /// The base-2 logarithm of the deflate window; nil where blocks travel stored.
    public let windowBits: UInt8?
}

/// How far a transfer has come.
public struct TransferProgress: Hashable, Sendable {
    /// Raw bytes that the receiver has, in order from 0.
    public let doneBytes: UInt64
    /// The object's size in raw bytes.
    public let totalBytes: UInt64
    /// Raw bytes that moved since the transfer last began or resumed.
    public let movedBytes: UInt64
    /// Bytes that those took in frames.
    public let codedBytes: UInt64
    /// All bytes on the pipe in the cargo's direction, over all tries.
    public let sentBytes: UInt64
    /// µs of the link's clock that they took.
    public let linkMicroseconds: UInt64
    /// What the link could carry in bytes per second; nil where too little is known.
    public let ceilingBytesPerSecond: Double?
}

/// What came of a transfer.
public struct TransferSummary: Hashable, Sendable {
    /// What came of it.
    public let result: Result
    /// The object's size in raw bytes.
    public let bytes: UInt64
    /// All bytes on the pipe in the cargo's direction, over all tries.
    public let sentBytes: UInt64
    /// Where the first try went on; 0 where it began at the beginning.
    public let resumedFrom: UInt64
    /// What carried it, or the question whether anything had to be carried.
    public let route: Route
    /// Why that was not a CoC.
    public let routeReason: String?
    /// The object's SHA-256, 32 bytes.
    public let sha256: [UInt8]
    /// µs of the link's clock from the connection to the end.
    public let linkMicroseconds: UInt64

    /// What can come of a transfer.
    public enum Result: String, Hashable, Sendable {
        /// The image runs, and is confirmed if that was asked for.
        case installed
        /// The image ran already; nothing was sent.
        case alreadyInstalled = "already-installed"
        /// The file was copied.
        case copied
        /// The file was there already; nothing was sent.
        case unchanged
    }
}

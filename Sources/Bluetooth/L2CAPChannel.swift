/// A connection-oriented channel as a byte stream with back-pressure.
///
/// SDU borders carry no meaning: iOS and Android cut them anew. `write` and `read` never wait;
/// ``waitUntilReady(for:until:)`` does.
public protocol L2CAPChannel: Sendable {
    /// How many bytes to hand over at once so that K-frames are full: a multiple of the peer's MPS
    /// less the SDU's length, within its MTU. Where the backend cannot know, its best guess.
    var efficientWriteBytes: Int { get }
    /// This backend's clock.
    var now: LinkInstant { get }

    /// Hands over bytes, and returns how many were taken: 0 where the stack is full now.
    ///
    /// What was taken may still be lost with the link, or if the channel is closed at once: the
    /// transfer's own FIN comes first.
    func write(_ bytes: UnsafeRawBufferPointer) throws(BluetoothError) -> Int

    /// Appends what has arrived to `buffer`, at most `maximumBytes`, and returns how many bytes
    /// those were: 0 where there is nothing now. Bytes that arrived before a loss are still
    /// handed out before the loss is thrown.
    func read(into buffer: inout [UInt8], maximumBytes: Int) throws(BluetoothError) -> Int

    /// Waits until something can be read, or something can be written, as asked.
    func waitUntilReady(for interest: Interest, until deadline: LinkInstant)
        async throws(BluetoothError) -> Readiness

    /// Closes at once: what was not yet sent is lost (Core 5.4, Vol 3, Part A, 4.6).
    func close()
}

/// What a waiting task waits for.
public struct Interest: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: UInt8

    /// An interest from its bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Something has arrived, or will not any more.
    public static let reading = Interest(rawValue: 1)
    /// The stack takes more.
    public static let writing = Interest(rawValue: 2)
}

/// How a wait ended.
public enum Readiness: Hashable, Sendable {
    /// What was waited for is there, or the loss that the next call will throw.
    case ready
    /// The deadline passed first.
    case deadlinePassed
}

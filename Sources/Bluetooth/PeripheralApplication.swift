/// What runs on a device, seen from its Bluetooth stack: events in, calls on the stack out, and no
/// waiting anywhere. The simulator runs it in its event loop, a kernel backend beside its sockets.
public protocol PeripheralApplication {
    /// Takes one event. Everything that follows from it is done through `stack` before this
    /// returns, or later on an event that the stack then sends.
    mutating func handle(_ event: PeripheralEvent, on stack: inout some PeripheralStack)

    /// The value of a characteristic that a central reads.
    mutating func value(of characteristic: BluetoothUUID, for connection: ConnectionID)
        -> Result<[UInt8], ATTError>

    /// Looks at a value before it is taken: an error refuses it. It is the answer to a write that
    /// wants one; a write without response is dropped. What is admitted follows as
    /// ``PeripheralEvent/valueWritten(_:characteristic:connection:)``.
    mutating func admit(
        _ value: [UInt8], to characteristic: BluetoothUUID, on connection: ConnectionID
    ) -> ATTError?
}

extension PeripheralApplication {
    /// Admits everything.
    public mutating func admit(
        _ value: [UInt8], to characteristic: BluetoothUUID, on connection: ConnectionID
    ) -> ATTError? { nil }
}

/// What an application on a device may ask of its Bluetooth stack. Nothing here waits.
public protocol PeripheralStack {
    /// The stack's clock.
    var now: LinkInstant { get }

    /// Publishes a service. Called on ``PeripheralEvent/poweredOn``, before advertising.
    mutating func publish(_ service: GATTServiceDeclaration)
    /// Accepts channels on a PSM, for links that reach `security`; `receiveMTU` is the longest SDU
    /// taken, `receiveBufferBytes` what is held for the application before credits are withheld.
    mutating func listen(
        on psm: PSM, receiveMTU: Int, receiveBufferBytes: Int, security: SecurityLevel)
    /// Advertises from now on. `peer` of the advertisement is the stack's to fill in.
    /// - Throws: ``BluetoothError/advertisementTooLong(bytes:limit:)`` where it does not fit the
    ///   packets (``AdvertisingPayload``); nothing is cut, and what was advertised before goes on.
    mutating func advertise(_ advertisement: Advertisement) throws(BluetoothError)

    /// What is known of a link.
    func parameters(of connection: ConnectionID) -> LinkParameters
    /// Ends a link.
    mutating func disconnect(_ connection: ConnectionID)

    /// How many bytes to write to a channel at once so that K-frames are full.
    func efficientWriteBytes(of channel: ChannelID) -> Int
    /// Appends what has arrived to `buffer`, at most `maximumBytes`; returns the count. Taking
    /// bytes is what lets the stack grant credits again.
    mutating func read(
        from channel: ChannelID, into buffer: inout [UInt8], maximumBytes: Int
    ) -> Int
    /// Hands over bytes; returns how many were taken. After fewer than all,
    /// ``PeripheralEvent/channelWritable(_:)`` follows.
    mutating func write(_ bytes: UnsafeRawBufferPointer, to channel: ChannelID) -> Int
    /// Closes a channel at once.
    mutating func close(_ channel: ChannelID)

    /// Hands over a notification; false where the queue is full, and
    /// ``PeripheralEvent/notificationQueueReady(_:)`` follows.
    mutating func notify(
        _ value: [UInt8], of characteristic: BluetoothUUID, on connection: ConnectionID
    ) -> Bool

    /// Asks for ``PeripheralEvent/woke`` at or after `instant`. One wake-up at a time: a new call
    /// replaces the last one.
    mutating func wake(at instant: LinkInstant)

    /// The device loses power now and is back after `offMicroseconds`. Links die without a word;
    /// ``PeripheralEvent/poweredOn`` is the next event.
    mutating func resetDevice(offMicroseconds: UInt64)
}

/// What happens to an application on a device.
public enum PeripheralEvent: Hashable, Sendable {
    /// The stack is up: publish, listen, advertise.
    case poweredOn
    /// A central connected.
    case connected(ConnectionID)
    /// A link is gone, and all that was on it.
    case disconnected(ConnectionID)
    /// A central opened a channel.
    case channelOpened(ChannelID, on: ConnectionID)
    /// Bytes wait on a channel.
    case channelReadable(ChannelID)
    /// A channel takes bytes again.
    case channelWritable(ChannelID)
    /// A channel is gone.
    case channelClosed(ChannelID)
    /// A central wrote a value.
    case valueWritten([UInt8], characteristic: BluetoothUUID, connection: ConnectionID)
    /// A central turned notifications on or off.
    case notificationsChanged(Bool, characteristic: BluetoothUUID, connection: ConnectionID)
    /// The notification queue takes values again.
    case notificationQueueReady(ConnectionID)
    /// The moment that was asked for is here.
    case woke
}

/// One link, for as long as it lasts; never used again within a stack's life.
public struct ConnectionID: Hashable, Sendable {
    /// The stack's number for it.
    public let rawValue: UInt32
    /// A link by number.
    public init(_ rawValue: UInt32) { self.rawValue = rawValue }
}

/// One channel, for as long as it lasts; never used again within a stack's life.
public struct ChannelID: Hashable, Sendable {
    /// The stack's number for it.
    public let rawValue: UInt32
    /// A channel by number.
    public init(_ rawValue: UInt32) { self.rawValue = rawValue }
}

/// A service that a device publishes.
public struct GATTServiceDeclaration: Hashable, Sendable {
    /// Its name.
    public let uuid: BluetoothUUID
    /// What it consists of.
    public let characteristics: [GATTCharacteristicDeclaration]

    /// A service by name and content.
    public init(uuid: BluetoothUUID, characteristics: [GATTCharacteristicDeclaration]) {
        self.uuid = uuid
        self.characteristics = characteristics
    }
}

/// A characteristic that a device publishes.
public struct GATTCharacteristicDeclaration: Hashable, Sendable {
    /// Its name.
    public let uuid: BluetoothUUID
    /// What it allows.
    public let properties: GATTProperties
    /// What the link must reach before any of it is allowed.
    public let security: SecurityLevel

    /// A characteristic by name, properties and the security that it demands.
    public init(uuid: BluetoothUUID, properties: GATTProperties, security: SecurityLevel) {
        self.uuid = uuid
        self.properties = properties
        self.security = security
    }
}

/// A primary service as discovery found it (Core 5.4, Vol 3, Part G, 4.4).
public struct GATTService: Hashable, Sendable {
    /// Its name.
    public let uuid: BluetoothUUID
    /// Its attributes' handles, its declaration first.
    public let handles: ClosedRange<UInt16>

    /// A service by name and handles.
    public init(uuid: BluetoothUUID, handles: ClosedRange<UInt16>) {
        self.uuid = uuid
        self.handles = handles
    }
}

/// A characteristic as discovery found it.
public struct GATTCharacteristic: Hashable, Sendable {
    /// Its name.
    public let uuid: BluetoothUUID
    /// Its value's handle, or the backend's own number for it.
    public let handle: UInt16
    /// What it allows.
    public let properties: GATTProperties

    /// A characteristic by name, handle and properties.
    public init(uuid: BluetoothUUID, handle: UInt16, properties: GATTProperties) {
        self.uuid = uuid
        self.handle = handle
        self.properties = properties
    }
}

/// What a characteristic allows (Core 5.4, Vol 3, Part G, 3.3.1.1).
public struct GATTProperties: OptionSet, Hashable, Sendable {
    /// The bits as they are on the air.
    public let rawValue: UInt8

    /// Properties from the bits on the air.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Its value can be read.
    public static let read = GATTProperties(rawValue: 0x02)
    /// Its value can be written without a response.
    public static let writeWithoutResponse = GATTProperties(rawValue: 0x04)
    /// Its value can be written, with a response.
    public static let write = GATTProperties(rawValue: 0x08)
    /// It notifies.
    public static let notify = GATTProperties(rawValue: 0x10)
    /// It indicates: each value is confirmed before the next one is sent.
    public static let indicate = GATTProperties(rawValue: 0x20)
}

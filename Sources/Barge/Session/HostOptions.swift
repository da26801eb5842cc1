import BargeProtocol
public import Bluetooth

/// How to reach a device.
public struct HostOptions: Hashable, Sendable {
    /// What the link must reach.
    public var security: SecurityLevel = .encrypted
    /// Which pipe to take.
    public var transport: Transport = .automatic
    /// The PSM, where it is known; else it is read from the device.
    public var psm: PSM?
    /// Another characteristic that holds the PSM.
    public var psmCharacteristic: BluetoothUUID?
    /// How long one step may take, in µs of the backend's clock. Twenty connection intervals are
    /// always allowed: a link with long ones answers late by nature.
    public var stepMicroseconds = UInt64(ProtocolLimits.patienceMilliseconds) * 1000
    /// How long to go on without any progress, in µs of the backend's clock.
    public var giveUpMicroseconds: UInt64 = 300_000_000
    /// zlib's level for blocks, 1…9; nil sends them stored.
    public var compressionLevel: Int32? = 9

    /// Which pipe to take.
    public enum Transport: Hashable, Sendable {
        /// CoC where it works, else GATT.
        case automatic
        /// CoC or nothing.
        case coc
        /// GATT or nothing.
        case gatt
    }

    /// Encrypted, CoC where it works.
    public init() {}
}

extension HostOptions {
    /// What a step may take on a link like this one, in µs.
    func stepMicroseconds(on link: LinkParameters) -> UInt64 {
        LinkParameters.stepMicroseconds(
            usually: stepMicroseconds,
            connectionIntervalMicroseconds: link.connectionIntervalMicroseconds)
    }
}

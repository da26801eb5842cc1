/// A 128-bit UUID of the device's service (protocol document, "The device's service"), as two
/// halves: this module knows no Bluetooth.
public struct ServiceIdentifier: Equatable, Sendable {
    /// The eight bytes that are written first.
    public let high: UInt64
    /// The eight bytes that are written last.
    public let low: UInt64

    /// The service, which a device advertises (BTP-001).
    public static let service = ServiceIdentifier(
        high: 0x6261_7267_6500_4B54, low: 0x9C0E_5F1A_2D7C_8E01)
    /// Where a host writes the GATT pipe's values.
    public static let upload = ServiceIdentifier(
        high: 0x6261_7267_6500_4B54, low: 0x9C0E_5F1A_2D7C_8E02)
    /// Where a device notifies them.
    public static let download = ServiceIdentifier(
        high: 0x6261_7267_6500_4B54, low: 0x9C0E_5F1A_2D7C_8E03)
}

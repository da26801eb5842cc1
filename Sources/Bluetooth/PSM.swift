/// The number under which a device offers an L2CAP connection-oriented channel: an LE SPSM
/// (Core 5.4, Vol 3, Part A, 4.22).
public struct PSM: Hashable, Sendable, CustomStringConvertible {
    /// The number itself, 0x0001–0x00FF.
    public let rawValue: UInt16

    /// Where devices place channels of their own.
    public static let dynamicRange: ClosedRange<UInt16> = 0x0080...0x00FF

    /// Numbers that the SIG hands out, for example 0x0025 for the Object Transfer Service.
    public static let assignedRange: ClosedRange<UInt16> = 0x0001...0x007F

    /// The characteristic by which a device publishes its PSM, as Apple named it: two bytes,
    /// little-endian.
    public static let characteristic = BluetoothUUID(
        high: 0xABDD_3056_28FA_441D, low: 0xA470_55A7_5A52_553A)

    /// Refuses what LE cannot carry: 0 and everything above 0x00FF.
    public init?(_ rawValue: UInt16) {
        guard Self.dynamicRange.contains(rawValue) || Self.assignedRange.contains(rawValue) else {
            return nil
        }
        self.rawValue = rawValue
    }

    /// True where the number belongs to the SIG rather than to the device.
    public var isAssigned: Bool { Self.assignedRange.contains(rawValue) }

    /// `0x0080`.
    public var description: String {
        let digits = String(rawValue, radix: 16, uppercase: true)
        return "0x" + String(repeating: "0", count: 4 - digits.count) + digits
    }
}

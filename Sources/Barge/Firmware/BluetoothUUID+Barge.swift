import BargeProtocol
public import Bluetooth

extension BluetoothUUID {
    /// The service that a device with a barge advertises (BTP-001).
    public static let bargeService = BluetoothUUID(.service)
}

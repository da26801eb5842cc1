import BargeProtocol
public import Bluetooth

/// The service that devices which speak this protocol offer (BTP-001).
public enum BargeService {
    /// Its name.
    public static let uuid = BluetoothUUID(.service)
}

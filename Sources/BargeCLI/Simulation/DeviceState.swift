import BargePeripheral

/// What a simulated device keeps from one process to the next, its flash and its files aside: the
/// file `state`.
struct DeviceState: Equatable, Sendable {
    /// Counts its boots.
    var bootID: UInt32 = 0
    /// The slot that runs; nil where the device is off, and boots when it is next opened.
    var running: FirmwareSlot?
    /// Whether this computer has the keys of the device.
    var centralHasKeys = false
    /// Whether the device has the keys of this computer.
    var deviceHasKeys = false
    /// Bytes that its flash may still erase or program before the power fails; nil: it never does.
    var powerCutBytes: Int?
}

extension DeviceState {
    private static let kind = "barge-sim-state"
    private static let version = 1

    var text: String {
        KeyValueText.text(
            kind: Self.kind, version: Self.version,
            [
                "boot-id": String(bootID),
                "running": running.map { "\($0)" } ?? "none",
                "central-has-keys": KeyValueText.text(centralHasKeys),
                "device-has-keys": KeyValueText.text(deviceHasKeys),
                "power-cut": powerCutBytes.map { String($0) } ?? "none",
            ])
    }

    /// A state from the bytes of its file.
    init(_ bytes: [UInt8]) throws(KeyValueText.Problem) {
        var text = try KeyValueText(bytes, kind: Self.kind, version: Self.version)
        bootID = try text.take("boot-id") { UInt32($0) }
        running = try text.take("running", Self.slot)
        centralHasKeys = try text.take("central-has-keys", KeyValueText.flag)
        deviceHasKeys = try text.take("device-has-keys", KeyValueText.flag)
        powerCutBytes = try text.take("power-cut") { text -> Int?? in
            text == "none" ? .some(nil) : wholeNumber(text).map { .some($0) }
        }
        try text.finish()
    }

    private static func slot(_ text: String) -> FirmwareSlot?? {
        if text == "none" { return .some(nil) }
        return FirmwareSlot.allCases.first { "\($0)" == text }.map { .some($0) }
    }
}

import Barge
import BargePeripheral
import BluetoothSimulation

/// What a simulated device keeps from one process to the next, its flash and its files aside: the
/// file `state`.
struct DeviceState: Equatable, Sendable {
    /// Counts its boots.
    var bootID: UInt32 = 0
    /// The slot that runs; nil where the device is off, and boots when it is next opened.
    var running: FirmwareSlot?
    /// This computer's keys of the device.
    var centralBond: SimulatedBond?
    /// The device's keys of this computer.
    var deviceBond: SimulatedBond?
    /// Bytes that its flash may still erase or program before the power fails; nil: it never does.
    var powerCutBytes: Int?
}

extension DeviceState {
    /// Which of its addresses a device that changes them has: a new one from each boot on. One that
    /// is off boots when it is opened.
    var addressNumber: UInt32 { running == nil ? bootID &+ 1 : bootID }

    private static let kind = "barge-sim-state"
    private static let version = 2

    var text: String {
        KeyValueText.text(
            kind: Self.kind, version: Self.version,
            [
                ("boot-id", String(bootID)),
                ("running", running.map { "\($0)" } ?? "none"),
                ("central-bond", centralBond?.text ?? "none"),
                ("device-bond", deviceBond?.text ?? "none"),
                ("power-cut", powerCutBytes.map { String($0) } ?? "none"),
            ])
    }

    /// A state from the bytes of its file.
    init(_ bytes: [UInt8]) throws(KeyValueText.Problem) {
        var text = try KeyValueText(bytes, kind: Self.kind, version: Self.version)
        bootID = try text.take("boot-id") { UInt32($0) }
        running = try text.take("running", KeyValueText.optional(Self.slot))
        if text.version == 1 {
            centralBond = try Self.olderBond("central-has-keys", &text)
            deviceBond = try Self.olderBond("device-has-keys", &text)
        } else {
            centralBond = try text.take("central-bond", KeyValueText.optional(Self.bond))
            deviceBond = try text.take("device-bond", KeyValueText.optional(Self.bond))
        }
        powerCutBytes = try text.take(
            "power-cut", KeyValueText.optional { wholeNumber($0) })
        try text.finish()
    }

    /// Version 1 knew no other bonds than those that Just Works makes.
    private static func olderBond(
        _ key: String, _ text: inout KeyValueText
    ) throws(KeyValueText.Problem) -> SimulatedBond? {
        try text.take(key, KeyValueText.flag) ? SimulatedBond() : nil
    }

    /// `authenticated 16`: the level, and the key's bytes.
    private static func bond(_ text: String) -> SimulatedBond? {
        let words = text.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 2,
            let level = SecurityLevel.allCases.first(where: { $0.name == words[0] }),
            level >= .encrypted,
            let bytes = KeyValueText.number(in: SimulatedDeviceSettings.keySizes)(String(words[1]))
        else { return nil }
        return SimulatedBond(level: level, keyBytes: bytes)
    }

    private static func slot(_ text: String) -> FirmwareSlot? {
        FirmwareSlot.allCases.first { "\($0)" == text }
    }
}

extension SimulatedBond {
    fileprivate var text: String { "\(level.name) \(keyBytes)" }
}

import Barge
import BluetoothSimulation

/// What a simulated device says on the air besides its service and its name, and how it behaves
/// other than one would wish: a part of `device.conf`.
struct SimulatedOddities: Equatable, Sendable {
    /// Whether it has another address after each reset.
    var changesAddress = false
    /// For so many milliseconds after a reset it calls itself by another name.
    var staleNameMilliseconds = 0
    /// The mean time in milliseconds after which it reboots of its own accord; nil: it does not.
    var rebootMilliseconds: Int?
    /// The strength at which it is heard, in dBm.
    var rssiDBm = -50
    var manufacturer: ManufacturerData?
    var serviceData: ScanFilter.ServiceData?

    /// What receivers report (Core 6.0, Vol 4, Part E, 7.7.65.2).
    static let strengths = -127...20
    /// As long as a person may have the patience for.
    static let staleNames = 0...3_600_000
    /// A device that reboots faster than this gets nothing done.
    static let reboots = 1_000...(365 * 86_400_000)
}

extension SimulatedOddities {
    var lines: [KeyValueText.Line] {
        [
            ("changes-address", KeyValueText.text(changesAddress)),
            ("stale-name-ms", String(staleNameMilliseconds)),
            ("reboots-ms", rebootMilliseconds.map { String($0) } ?? KeyValueText.none),
            ("rssi", String(rssiDBm)),
            ("manufacturer", manufacturer?.text ?? KeyValueText.none),
            ("service-data", serviceData?.text ?? KeyValueText.none),
        ]
    }

    init(_ text: inout KeyValueText) throws(KeyValueText.Problem) {
        changesAddress = try text.take("changes-address", KeyValueText.flag)
        staleNameMilliseconds = try text.take(
            "stale-name-ms", KeyValueText.number(in: Self.staleNames))
        rebootMilliseconds = try text.take(
            "reboots-ms", KeyValueText.optional(KeyValueText.number(in: Self.reboots)))
        rssiDBm = try text.take("rssi") { text in
            signedNumber(text).flatMap { Self.strengths.contains($0) ? $0 : nil }
        }
        manufacturer = try text.take(
            "manufacturer", KeyValueText.optional { ManufacturerData(text: $0) })
        serviceData = try text.take(
            "service-data", KeyValueText.optional { ScanFilter.ServiceData(text: $0) })
    }

    /// Puts it into what the simulator makes a device of.
    ///
    /// - Parameter number: which of its addresses it has.
    func apply(to configuration: inout DeviceConfiguration, name: String, address number: UInt32) {
        configuration.changesAddress = changesAddress
        configuration.addressNumber = number
        if staleNameMilliseconds > 0 {
            configuration.staleName = name + Self.staleSuffix
            configuration.staleNameMicroseconds = UInt64(staleNameMilliseconds) * 1_000
        }
        configuration.meanMicrosecondsBetweenResets = rebootMilliseconds.map {
            UInt64($0) * 1_000
        }
        configuration.rebootMicroseconds = Self.rebootMicroseconds
        configuration.rssiDBm = rssiDBm
        configuration.manufacturerData = manufacturer
        if let serviceData {
            configuration.serviceData = [serviceData.service: serviceData.prefix]
        }
    }

    /// What is out of the ordinary, in words.
    var words: [String] {
        [
            changesAddress ? "changes its address" : nil,
            staleNameMilliseconds > 0
                ? "stale name for \(Quantity.time(Double(staleNameMilliseconds) / 1_000))" : nil,
            rebootMilliseconds.map { "reboots every \(Quantity.time(Double($0) / 1_000))" },
            rssiDBm == -50 ? nil : "\(rssiDBm) dBm",
            manufacturer.map { "manufacturer \($0.text)" },
            serviceData.map { "service data \($0.text)" },
        ].compactMap { $0 }
    }

    /// What stands behind the name of a device that has just been reset: what its boot loader, or
    /// a cache on the way, would say.
    static let staleSuffix = "-boot"
    /// How long it is without power when it reboots of its own accord: as long as it takes to
    /// reset when it is asked to.
    private static let rebootMicroseconds: UInt64 = 1_500_000
}

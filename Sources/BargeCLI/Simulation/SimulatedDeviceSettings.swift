import Barge
import BluetoothSimulation

/// How a simulated device was made: the file `device.conf`, which never changes afterwards.
struct SimulatedDeviceSettings: Equatable, Sendable {
    var phy = PHY.le2M
    var dataLengthBytes = 251
    var intervalMicroseconds = 30_000
    var attMTU = 247
    /// Whether it publishes an L2CAP channel.
    var hasChannels = true
    /// The chance of each packet to arrive damaged.
    var loss = 0.0
    /// Whether the link and the flash take no time at all.
    var isUnlimited = false
    var pace = Pace.max
    /// What all chance comes from.
    var seed: UInt64 = 1
    /// Bytes of each firmware slot, whole sectors.
    var slotBytes = 1 << 20
    var windowBits = 12
    var blockBytes = 4_096
    /// How it pairs, and what it demands.
    var pairing = SimulatedPairing()
    /// What it says on the air besides, and how it misbehaves.
    var oddities = SimulatedOddities()

    /// Link layer payloads (Core 6.0, Vol 6, Part B, 4.5.10).
    static let dataLengths = 27...251
    /// Connection intervals (Core 6.0, Vol 6, Part B, 4.5.1).
    static let intervals = 7_500...4_000_000
    /// The step of connection intervals.
    static let intervalStep = 1_250
    /// 23 is the least that ATT allows (Core 6.0, Vol 3, Part G, 5.2.1), 517 the most that an
    /// attribute of 512 bytes can use.
    static let attMTUs = 23...517
    /// What is erased at once.
    static let sectorBytes = 4_096
    /// The largest image that barge reads fits.
    static let slotSizes = 4_096...(64 << 20)
    static let windowSizes = 9...15
    static let blockSizes = 256...32_768
    /// Bytes of an encryption key (Core 6.0, Vol 3, Part H, 2.3.4).
    static let keySizes = 7...16
}

extension SimulatedDeviceSettings {
    private static let kind = "barge-sim-device"
    private static let version = 2

    var text: String {
        KeyValueText.text(
            kind: Self.kind, version: Self.version,
            baseLines + pairing.lines + oddities.lines)
    }

    private var baseLines: [KeyValueText.Line] {
        [
            ("phy", phy.rawValue),
            ("data-length", String(dataLengthBytes)),
            ("interval-us", String(intervalMicroseconds)),
            ("att-mtu", String(attMTU)),
            ("coc", KeyValueText.text(hasChannels)),
            ("loss", "\(loss)"),
            ("unlimited", KeyValueText.text(isUnlimited)),
            ("pace", pace.rawValue),
            ("seed", String(seed)),
            ("slot-size", String(slotBytes)),
            ("window-bits", String(windowBits)),
            ("block-size", String(blockBytes)),
        ]
    }

    /// Settings from the bytes of a `device.conf`.
    init(_ bytes: [UInt8]) throws(KeyValueText.Problem) {
        var text = try KeyValueText(bytes, kind: Self.kind, version: Self.version)
        phy = try text.take("phy", PHY.init(rawValue:))
        dataLengthBytes = try text.take("data-length", KeyValueText.number(in: Self.dataLengths))
        intervalMicroseconds = try text.take("interval-us") { text in
            KeyValueText.number(in: Self.intervals)(text)
                .flatMap { $0.isMultiple(of: Self.intervalStep) ? $0 : nil }
        }
        attMTU = try text.take("att-mtu", KeyValueText.number(in: Self.attMTUs))
        hasChannels = try text.take("coc", KeyValueText.flag)
        loss = try text.take("loss") { Double($0).flatMap { (0..<1).contains($0) ? $0 : nil } }
        isUnlimited = try text.take("unlimited", KeyValueText.flag)
        pace = try text.take("pace", Pace.init(rawValue:))
        seed = try text.take("seed") { UInt64($0) }
        slotBytes = try text.take("slot-size") { text in
            KeyValueText.number(in: Self.slotSizes)(text)
                .flatMap { $0.isMultiple(of: Self.sectorBytes) ? $0 : nil }
        }
        windowBits = try text.take("window-bits", KeyValueText.number(in: Self.windowSizes))
        blockBytes = try text.take("block-size") { text in
            KeyValueText.number(in: Self.blockSizes)(text)
                .flatMap { $0.nonzeroBitCount == 1 ? $0 : nil }
        }
        // Version 1 knew devices without keys to type and without oddities alone.
        if text.version > 1 {
            pairing = try SimulatedPairing(&text)
            oddities = try SimulatedOddities(&text)
        }
        try text.finish()
    }
}

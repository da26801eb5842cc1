/// HELLO: what a side can do, and who it is (BTP-040 to BTP-045).
public struct Hello: Equatable, Sendable {
    /// The versions that it speaks.
    public var lowestVersion: UInt8 = ProtocolLimits.version
    /// The highest of them.
    public var highestVersion: UInt8 = ProtocolLimits.version
    /// The longest body that it takes.
    public var bodyBytes: UInt16 = ProtocolLimits.bodyBytes.lowerBound
    /// The largest block, in raw bytes.
    public var blockBytes: UInt16 = ProtocolLimits.blockBytes.lowerBound
    /// Window that it can inflate with; nil where it takes stored blocks only.
    public var inflateWindowBits: UInt8?
    /// Window that it deflates with at most; nil where it sends stored blocks only.
    public var deflateWindowBits: UInt8?
    /// Raw bytes that may be on the way to it beyond its last ACK.
    public var receiveWindowBytes = UInt32(ProtocolLimits.blockBytes.lowerBound)
    /// What it offers.
    public var features = Features(rawValue: 0)
    private var serialLabel = ShortText<32>()
    private var modelLabel = ShortText<32>()
    private var softwareLabel = ShortText<32>()
    /// Its flash, where it takes firmware.
    public var geometry: FirmwareGeometry?
    /// Another number after each reset of the device.
    public var bootID: UInt32 = 0

    /// The device's serial, the same for its life; empty where there is none. At most 32 bytes.
    public var serial: Name {
        get { serialLabel.name }
        set { serialLabel = ShortText(newValue) }
    }

    /// The device's model; empty where there is none. At most 32 bytes.
    public var model: Name {
        get { modelLabel.name }
        set { modelLabel = ShortText(newValue) }
    }

    /// The software that speaks; empty where it does not say. At most 32 bytes.
    public var software: Name {
        get { softwareLabel.name }
        set { softwareLabel = ShortText(newValue) }
    }

    /// What a device can offer.
    public struct Features: Equatable, Sendable {
        /// The bits on the wire.
        public let rawValue: UInt32
        /// Features from the bits on the wire.
        public init(rawValue: UInt32) { self.rawValue = rawValue }
        /// It takes firmware.
        public static let firmware = Features(rawValue: 1)
        /// It holds files.
        public static let files = Features(rawValue: 2)
        /// It has sink, source and ECHO.
        public static let measurement = Features(rawValue: 4)
    }

    /// The least that a side can say.
    public init() {}

    /// True where each number is in its range and they fit each other (BTP-043, BTP-044).
    var isConsistent: Bool {
        lowestVersion > 0 && lowestVersion <= highestVersion
            && ProtocolLimits.bodyBytes.contains(bodyBytes)
            && ProtocolLimits.blockBytes.contains(blockBytes)
            && blockBytes & (blockBytes - 1) == 0
            && Int(bodyBytes) >= Int(blockBytes) + ProtocolLimits.blockHeaderBytes
            && receiveWindowBytes >= UInt32(blockBytes)
            && Self.isWindow(inflateWindowBits) && Self.isWindow(deflateWindowBits)
    }

    private static func isWindow(_ bits: UInt8?) -> Bool {
        guard let bits else { return true }
        return ProtocolLimits.windowBits.contains(bits)
    }
}

/// The flash that firmware goes to.
public struct FirmwareGeometry: Equatable, Sendable {
    /// The largest image in bytes.
    public let slotBytes: UInt32
    /// What one erase clears.
    public let sectorBytes: UInt32
    /// What one program operation writes.
    public let programUnitBytes: UInt8
    /// What an erased byte reads as.
    public let erasedValue: UInt8

    /// A geometry.
    public init(slotBytes: UInt32, sectorBytes: UInt32, programUnitBytes: UInt8, erasedValue: UInt8)
    {
        self.slotBytes = slotBytes
        self.sectorBytes = sectorBytes
        self.programUnitBytes = programUnitBytes
        self.erasedValue = erasedValue
    }
}

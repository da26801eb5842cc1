import BargeProtocol
public import Bluetooth

/// What a device says of itself and offers: everything about it that is not its storage.
public struct DeviceProfile: Hashable, Sendable {
    /// The same for the device's life, 1…32 bytes.
    public var serial: String
    /// What it is, 1…32 bytes.
    public var model = "barge-device"
    /// Its name, of any length; ``advertisedName`` is what fits an advertisement.
    public var localName: String
    /// Raw bytes of a block at most; a power of two, 256…32768.
    public var blockBytes: UInt16 = 4096
    /// Window for deflated blocks, 9…15; nil: stored blocks only.
    public var windowBits: UInt8? = 12
    /// Raw bytes that may be on the way to it.
    public var receiveWindowBytes: UInt32 = 64 * 1024
    /// Where it takes channels; nil: it has the GATT pipe only.
    public var psm: PSM?
    /// The longest SDU that it takes.
    public var receiveMTU = 10_000
    /// What its stack holds for it before it withholds credits.
    public var receiveBufferBytes = 32 * 1024
    /// What a link must reach before it talks.
    public var security: SecurityLevel = .encrypted
    /// The file in which it keeps a log of its own; nil: none.
    public var logName: String?
    /// How long it is silent when it resets.
    public var resetMicroseconds: UInt64 = 1_500_000

    /// A device by serial and name.
    public init(serial: String, localName: String) {
        self.serial = serial
        self.localName = localName
        psm = PSM(PSM.dynamicRange.lowerBound)
    }

    /// What it says to everybody in range. `peer` is the stack's to fill in.
    public var advertisement: Advertisement {
        var advertisement = Advertisement(peer: PeerID(""))
        advertisement.localName = advertisedName
        advertisement.serviceUUIDs = [BluetoothUUID(.service)]
        return advertisement
    }

    /// The name as it is advertised: cut at a character's border to what fits one packet.
    public var advertisedName: String {
        var name = localName
        while name.utf8.count > AdvertisingPayload.maximumNameBytes { name.removeLast() }
        return name
    }

    /// What it says in HELLO.
    func hello(geometry: FirmwareGeometry?, hasFiles: Bool, bootID: UInt32) -> Hello {
        var hello = Hello()
        hello.blockBytes = blockBytes
        hello.bodyBytes = UInt16(
            max(
                Int(blockBytes) + ProtocolLimits.blockHeaderBytes,
                Int(ProtocolLimits.bodyBytes.lowerBound)))
        hello.inflateWindowBits = windowBits
        hello.deflateWindowBits = windowBits
        hello.receiveWindowBytes = max(receiveWindowBytes, UInt32(blockBytes))
        hello.features = [.measurement]
        if geometry != nil { hello.features.insert(.firmware) }
        if hasFiles { hello.features.insert(.files) }
        hello.geometry = geometry
        hello.serial = Name(utf8: serial, maximumBytes: ProtocolLimits.labelBytes)
        hello.model = Name(utf8: model, maximumBytes: ProtocolLimits.labelBytes)
        hello.software = Name("barge 0.1")
        hello.bootID = bootID
        return hello
    }
}

extension Name {
    /// The text's UTF-8, cut at a character's border so that it has at most `maximumBytes`.
    init(utf8 text: String, maximumBytes: Int) {
        var kept = text
        while kept.utf8.count > maximumBytes { kept.removeLast() }
        let bytes = Array(kept.utf8)
        self = Name(bytes.span.bytes) ?? Name()
    }

    /// The bytes.
    var bytes: [UInt8] { (0..<byteCount).map { byte(at: $0) } }
}

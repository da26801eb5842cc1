/// The fields of HELLO on the wire.
extension Hello {
    /// "BTP" and a zero.
    private static let magic: UInt32 = 0x0050_5442
    /// From here on a field that is not known ends the session (BTP-042).
    private static let firstCritical: UInt8 = 0x80

    private enum Field: UInt8 {
        case bodyBytes = 0x01
        case blockBytes = 0x02
        case inflateWindow = 0x03
        case deflateWindow = 0x04
        case receiveWindow = 0x05
        case features = 0x06
        case serial = 0x10
        case model = 0x11
        case geometry = 0x12
        case software = 0x13
        case bootID = 0x14
    }

    var bodyLength: Int {
        var length = 6 + 4 + 4 + 6 + 6 + 6
        if inflateWindowBits != nil { length += 3 }
        if deflateWindowBits != nil { length += 3 }
        if geometry != nil { length += 12 }
        length += Self.length(of: serial) + Self.length(of: model) + Self.length(of: software)
        return length
    }

    private static func length(of label: Name) -> Int {
        label.isEmpty ? 0 : 2 + label.byteCount
    }

    func putBody(_ writer: inout FrameWriter, into sink: inout some ByteSink) {
        writer.put(Self.magic, into: &sink)
        writer.put(lowestVersion, into: &sink)
        writer.put(highestVersion, into: &sink)
        put(.bodyBytes, UInt64(widening: UInt32(bodyBytes)), bytes: 2, &writer, &sink)
        put(.blockBytes, UInt64(widening: UInt32(blockBytes)), bytes: 2, &writer, &sink)
        if let inflateWindowBits {
            put(
                .inflateWindow, UInt64(widening: UInt32(inflateWindowBits)), bytes: 1, &writer,
                &sink)
        }
        if let deflateWindowBits {
            put(
                .deflateWindow, UInt64(widening: UInt32(deflateWindowBits)), bytes: 1, &writer,
                &sink)
        }
        put(.receiveWindow, UInt64(widening: receiveWindowBytes), bytes: 4, &writer, &sink)
        put(.features, UInt64(widening: features.rawValue), bytes: 4, &writer, &sink)
        put(.serial, serial, &writer, &sink)
        put(.model, model, &writer, &sink)
        if let geometry { put(geometry, &writer, &sink) }
        put(.software, software, &writer, &sink)
        put(.bootID, UInt64(widening: bootID), bytes: 4, &writer, &sink)
    }

    private func put(
        _ field: Field, _ value: UInt64, bytes: Int, _ writer: inout FrameWriter,
        _ sink: inout some ByteSink
    ) {
        writer.put(field.rawValue, into: &sink)
        writer.put(UInt8(bytes), into: &sink)
        writer.put(value, bytes: bytes, into: &sink)
    }

    private func put(
        _ field: Field, _ label: Name, _ writer: inout FrameWriter, _ sink: inout some ByteSink
    ) {
        guard !label.isEmpty else { return }
        writer.put(field.rawValue, into: &sink)
        writer.put(label, into: &sink)
    }

    private func put(
        _ geometry: FirmwareGeometry, _ writer: inout FrameWriter, _ sink: inout some ByteSink
    ) {
        writer.put(Field.geometry.rawValue, into: &sink)
        writer.put(UInt8(10), into: &sink)
        writer.put(geometry.slotBytes, into: &sink)
        writer.put(geometry.sectorBytes, into: &sink)
        writer.put(geometry.programUnitBytes, into: &sink)
        writer.put(geometry.erasedValue, into: &sink)
    }

    init(body: RawSpan) throws(ProtocolFault) {
        self.init()
        receiveWindowBytes = 0
        var reader = BodyReader()
        guard try reader.u32(body) == Self.magic else { throw .malformed }
        lowestVersion = try reader.u8(body)
        highestVersion = try reader.u8(body)
        while reader.offset < body.byteCount {
            let id = try reader.u8(body)
            let count = try Int(reader.u8(body))
            let value = try reader.take(count, of: body)
            try takeField(id: id, value: body.extracting(value))
        }
        if receiveWindowBytes == 0 { receiveWindowBytes = UInt32(blockBytes) }
        guard isConsistent else { throw .malformed }
    }

    private mutating func takeField(id: UInt8, value: RawSpan) throws(ProtocolFault) {
        guard let field = Field(rawValue: id) else {
            guard id < Self.firstCritical else { throw .unknownField(id: id) }
            return
        }
        var reader = BodyReader()
        switch field {
        case .bodyBytes:
            bodyBytes = try reader.u16(value)
        case .blockBytes:
            blockBytes = try reader.u16(value)
        case .inflateWindow:
            inflateWindowBits = try reader.u8(value)
        case .deflateWindow:
            deflateWindowBits = try reader.u8(value)
        case .receiveWindow:
            receiveWindowBytes = try reader.u32(value)
            guard receiveWindowBytes > 0 else { throw .malformed }
        case .features: features = try Features(rawValue: reader.u32(value))
        case .serial: serial = try Self.label(value)
        case .model: model = try Self.label(value)
        case .geometry: geometry = try Self.geometry(value)
        case .software: software = try Self.label(value)
        case .bootID: bootID = try reader.u32(value)
        }
    }

    private static func label(_ value: RawSpan) throws(ProtocolFault) -> Name {
        guard (1...ProtocolLimits.labelBytes).contains(value.byteCount), let name = Name(value)
        else { throw .malformed }
        return name
    }

    private static func geometry(_ value: RawSpan) throws(ProtocolFault) -> FirmwareGeometry {
        var reader = BodyReader()
        return try FirmwareGeometry(
            slotBytes: reader.u32(value), sectorBytes: reader.u32(value),
            programUnitBytes: reader.u8(value), erasedValue: reader.u8(value))
    }
}

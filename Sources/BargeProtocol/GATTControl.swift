/// A control value of the GATT pipe: at most six bytes.
public enum GATTControl: Equatable, Sendable {
    /// The host opens.
    case open(limit: UInt32)
    /// The device answers.
    case opened(limit: UInt32)
    /// The peer may have sent so many values in all.
    case credit(limit: UInt32)
    /// So many values were sent; which limit holds?
    case probe(sent: UInt32)
    /// The pipe is lost.
    case broken(GATTPipeBreak)

    /// Reads a value; nil where it is not as drawn. Bytes beyond that are ignored.
    public init?(_ value: RawSpan) {
        var reader = BodyReader()
        do throws(ProtocolFault) {
            switch try reader.u8(value) {
            case 0x80:
                // A later version is answered with this one, and its sender decides (BTP-020).
                guard try reader.u8(value) >= GATTPipe.version else { return nil }
                self = try .open(limit: reader.u32(value))
            case 0x81:
                guard try reader.u8(value) == GATTPipe.version else { return nil }
                self = try .opened(limit: reader.u32(value))
            case 0x82: self = try .credit(limit: reader.u32(value))
            case 0x83: self = try .probe(sent: reader.u32(value))
            case 0x84:
                guard let reason = try GATTPipeBreak(rawValue: reader.u8(value)) else {
                    return nil
                }
                self = .broken(reason)
            default: return nil
            }
        } catch {
            return nil
        }
    }

    /// Appends the value's bytes.
    public func encode(into sink: inout some ByteSink) {
        switch self {
        case .open(let limit): Self.put(0x80, GATTPipe.version, limit, into: &sink)
        case .opened(let limit): Self.put(0x81, GATTPipe.version, limit, into: &sink)
        case .credit(let limit): Self.put(0x82, nil, limit, into: &sink)
        case .probe(let sent): Self.put(0x83, nil, sent, into: &sink)
        case .broken(let reason):
            sink.append(0x84)
            sink.append(reason.rawValue)
        }
    }

    private static func put(
        _ kind: UInt8, _ version: UInt8?, _ number: UInt32, into sink: inout some ByteSink
    ) {
        sink.append(kind)
        if let version { sink.append(version) }
        for byte in UInt32(0)..<4 {
            sink.append(UInt8(truncatingIfNeeded: number >> (8 * byte)))
        }
    }
}

/// How a peer broke the protocol. A value, not a trap: the peer may be anybody.
public enum ProtocolFault: Error, Equatable, Sendable {
    /// A body or field is not as drawn (BTP-033, BTP-043).
    case malformed
    /// A frame's CRC does not agree (BTP-030).
    case badCheck
    /// The ranges of versions have nothing in common (BTP-041).
    case unsupportedVersion
    /// A type below 0x80 that is not known (BTP-032).
    case unknownFrame(type: UInt8)
    /// The state does not allow this frame (BTP-040, BTP-046).
    case unexpectedFrame(type: UInt8)
    /// A body longer than what was announced (BTP-031).
    case bodyTooLong(bytes: Int)
    /// A critical HELLO field that is not known (BTP-042).
    case unknownField(id: UInt8)

    /// What the peer is told.
    public var error: ErrorMessage {
        switch self {
        case .malformed: ErrorMessage(.malformed)
        case .badCheck: ErrorMessage(.badCheck)
        case .unsupportedVersion: ErrorMessage(.unsupportedVersion)
        case .unknownFrame(let type):
            ErrorMessage(.unknownFrame, detail: UInt64(widening: UInt32(type)))
        case .unexpectedFrame(let type):
            ErrorMessage(.unexpectedFrame, detail: UInt64(widening: UInt32(type)))
        case .bodyTooLong(let bytes): ErrorMessage(.bodyTooLong, detail: UInt64(widening: bytes))
        case .unknownField(let id):
            ErrorMessage(.unknownField, detail: UInt64(widening: UInt32(id)))
        }
    }
}

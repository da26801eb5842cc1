/// Why a peer refused a connection-oriented channel (Core 5.4, Vol 3, Part A, 4.23, table 4.16).
public enum ChannelRefusal: Hashable, Sendable {
    /// Nobody listens on that PSM (0x0002).
    case psmNotSupported
    /// The peer has no resources left (0x0004).
    case noResources
    /// The peer wants an authenticated link (0x0005).
    case insufficientAuthentication
    /// The peer does not let us (0x0006).
    case insufficientAuthorization
    /// The peer wants a longer key (0x0007).
    case keyTooShort
    /// The peer wants an encrypted link (0x0008).
    case insufficientEncryption
    /// Parameters that the peer does not take (0x000B).
    case unacceptableParameters
    /// This host or this peer has no connection-oriented channels at all; no result on the air.
    case notSupported
}

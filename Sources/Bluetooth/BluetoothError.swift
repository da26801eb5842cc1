/// Why Bluetooth did not do what was asked.
public enum BluetoothError: Error, Hashable, Sendable {
    /// There is no adapter, no kernel support, or no permission; the text says which.
    case unavailable(String)
    /// The adapter is switched off.
    case poweredOff
    /// No peer of that name or address was heard.
    case peerNotFound(PeerID)
    /// A step did not end within its deadline; the text names the step.
    case timedOut(String)
    /// The link is gone.
    case linkLost(LinkLossReason)
    /// The link or the peer does not reach the level that was asked for.
    case securityNotReached(wanted: SecurityLevel, reason: String)
    /// The peer answered an attribute request with an error.
    case attribute(ATTError)
    /// The peer has no such service or characteristic.
    case noSuchAttribute(BluetoothUUID)
    /// The peer refused the channel.
    case channelRefused(ChannelRefusal)
    /// The channel was closed by the peer while the link stands.
    case channelClosed
    /// The task was canceled.
    case canceled
}

/// How a link ended.
public enum LinkLossReason: Hashable, Sendable {
    /// Nothing was heard for the supervision timeout (HCI 0x08).
    case supervisionTimeout
    /// The peer ended it (HCI 0x13…0x15).
    case remoteTerminated
    /// We ended it (HCI 0x16).
    case localTerminated
    /// The adapter went away.
    case adapterGone
}

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

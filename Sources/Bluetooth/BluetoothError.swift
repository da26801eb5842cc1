/// Why Bluetooth did not do what was asked.
public enum BluetoothError: Error, Hashable, Sendable {
    /// There is no adapter, no kernel support, or no permission; the text says which.
    case unavailable(String)
    /// The adapter is switched off.
    case poweredOff
    /// The system's Bluetooth failed by itself; no peer had a part in it.
    case stackFailed(StackFailure)
    /// This host, its adapter or the peer has no such feature; the text names it.
    case notSupported(String)
    /// The adapter, or the peer, holds as many links as it can: wait for one to become free.
    case connectionLimit
    /// The memory that the operation needs is full.
    case outOfSpace

    /// No peer of that name or address was heard.
    case peerNotFound(PeerID)
    /// The peer was heard, and yet no link came about.
    case connectionFailed(ConnectionFailure)
    /// There is no link to do it on.
    case notConnected
    /// A step did not end within its deadline; the text names the step.
    case timedOut(String)
    /// The link is gone.
    case linkLost(LinkLossReason)

    /// The link or the peer does not reach the level that was asked for.
    case securityNotReached(wanted: SecurityLevel, reason: String)
    /// One side has the other's keys no more, while the other still uses its own.
    case pairingRemoved(by: BondSide)
    /// The peer, or a person, refused to authenticate.
    case authenticationRefused(AuthenticationRefusal)
    /// The key is shorter than one side wants; absent is what a stack or a peer does not say.
    case keyTooShort(wantedBits: Int?, reachedBits: Int?)
    /// The link was not encrypted in time.
    case encryptionTimedOut
    /// One side remembers as many paired devices as it can.
    case tooManyPairings

    /// The peer answered an attribute request with an error.
    case attribute(ATTError)
    /// The peer has no such service.
    case noSuchService(BluetoothUUID)
    /// The peer has the service, and no such characteristic or descriptor in it.
    case noSuchAttribute(BluetoothUUID)
    /// The system delivers, or will soon deliver, no more notifications to a program that is in
    /// the background (Apple's systems).
    case notificationLimit(NotificationLimit)
    /// The peer refused the channel.
    case channelRefused(ChannelRefusal)
    /// The channel was closed by the peer while the link stands.
    case channelClosed

    /// What is to be advertised does not fit into a packet: it is refused, not cut.
    case advertisementTooLong(bytes: Int, limit: Int)
    /// The task was canceled.
    case canceled
}

/// A side of a pairing.
public enum BondSide: Hashable, Sendable, CaseIterable {
    /// This computer.
    case local
    /// The device at the other end.
    case peer
}

/// Who did not want to authenticate, and how it was told.
public enum AuthenticationRefusal: Hashable, Sendable {
    /// Pairing failed with a reason, of either side.
    case pairing(PairingFailure)
    /// The controllers broke the link or its encryption off.
    case link(HCIStatus)
    /// The person at this computer said no.
    case declined
}

/// Why no link came about.
public enum ConnectionFailure: Hashable, Sendable {
    /// As the controller says it.
    case status(HCIStatus)
    /// As the system says it, in its words.
    case system(String)
}

/// What the system's Bluetooth says of itself.
public enum StackFailure: Hashable, Sendable {
    /// It failed and does not say how.
    case unspecified
    /// It does not take the parameters of a call.
    case invalidParameters
    /// It lets no program publish this service or characteristic.
    case uuidNotAllowed
    /// It advertises already.
    case alreadyAdvertising
    /// In the system's words.
    case system(String)
}

/// How near a limit of notifications is.
public enum NotificationLimit: Hashable, Sendable, CaseIterable {
    /// It will be reached soon.
    case near
    /// Notifications are being dropped.
    case exceeded
}

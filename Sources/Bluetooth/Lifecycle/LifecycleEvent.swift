/// What happens to a lifecycle. Any of them may come at any time: what is late is ignored.
public enum LifecycleEvent: Hashable, Sendable {
    /// A device is wanted, or wanted otherwise than before; and whether the adapter is on.
    case wanted(LinkGoal, isPowered: Bool)
    /// It is not wanted any more.
    case unwanted
    /// An operation ended.
    case ended(LifecycleTicket, LifecycleOutcome)
    /// An operation's deadline passed, whether the stack ever answers or not.
    case elapsed(LifecycleTicket)
    /// Whoever uses the link found it, or what runs on it, broken.
    case broken(BluetoothError)
    /// Whoever uses the link found that this is not the device that is wanted.
    case disowned
    /// Whoever uses the link knows that the device goes away on purpose, for so many µs.
    case resetting(microseconds: UInt64)
    /// Something moved: patience begins anew.
    case progressed
}

/// How an operation ended.
public enum LifecycleOutcome: Hashable, Sendable {
    /// The adapter is switched on.
    case powered
    /// A scan heard a peer that matches.
    case heard(PeerID)
    /// A scan came to its deadline without one.
    case heardNobody
    /// The peers with the service that this computer is linked to.
    case linkedPeers([PeerID])
    /// A link stands; its connection interval, where that is known.
    case linked(intervalMicroseconds: Int? = nil)
    /// The link has the level that was asked for.
    case secured
    /// The services of the name that was asked for.
    case services([GATTService])
    /// The characteristics of the service.
    case characteristics([GATTCharacteristic])
    /// A pause is over.
    case paused
    /// The link that was watched is gone.
    case lost(LinkLossReason)
    /// It did not work.
    case failed(BluetoothError)
}

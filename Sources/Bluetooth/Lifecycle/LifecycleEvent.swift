/// One operation that the lifecycle has begun, by number; never used again within a lifecycle.
public struct LifecycleTicket: Hashable, Comparable, Sendable {
    /// The number.
    public let rawValue: UInt64

    /// Earlier ones come first.
    public static func < (left: LifecycleTicket, right: LifecycleTicket) -> Bool {
        left.rawValue < right.rawValue
    }
}

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

/// What a lifecycle wants done.
public enum LifecycleEffect: Hashable, Sendable {
    /// Begin an operation; it has until the deadline.
    case begin(LifecycleTicket, LifecycleOperation, until: LinkInstant)
    /// Nobody waits for an operation any more: end it. Its outcome may still come.
    case cancel(LifecycleTicket)
    /// End the link that the operation of this ticket brought.
    case release(LifecycleTicket)
    /// Tell whoever wants the device.
    case report(LifecycleReport)
}

/// An operation of a Bluetooth stack.
public enum LifecycleOperation: Hashable, Sendable {
    /// Wait until the adapter is switched on.
    case awaitPower
    /// Listen until a peer matches that is none of these.
    case scan(ScanFilter, excluding: Set<PeerID>)
    /// Ask which peers with a service this computer is linked to.
    case findLinkedPeers(BluetoothUUID)
    /// Connect.
    case connect(PeerID)
    /// Raise the link's security, pairing if need be.
    case secure(LifecycleTicket, SecurityLevel)
    /// Find a service.
    case discoverServices(LifecycleTicket, BluetoothUUID)
    /// Find a service's characteristics.
    case discoverCharacteristics(LifecycleTicket, GATTService)
    /// Wait for the end of the link.
    case watch(LifecycleTicket)
    /// Wait.
    case pause
}

/// What is told to whoever wants a device.
public enum LifecycleReport: Hashable, Sendable {
    /// A phase has begun.
    case entered(ConnectionLifecycle.Phase)
    /// The link stands, is as secure as was asked for, and has the service.
    case connected(PeerID, LifecycleTicket, [GATTCharacteristic])
    /// It did not work now; the next try is in so many µs.
    case retrying(BluetoothError, microseconds: UInt64)
    /// It will not work: nothing more is tried until the device is wanted again.
    case failed(BluetoothError)
}

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

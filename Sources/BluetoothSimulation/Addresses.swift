public import Bluetooth

/// Devices that come back under another address.
extension SimulatedWorld {
    /// The address of a device now, by the one that it was added with. They differ after a reset
    /// of a device whose ``DeviceConfiguration/changesAddress`` is set: `NAME`, then `NAME#2`,
    /// `NAME#3` and so on. Nil where no such device is there.
    public func currentPeer(of original: PeerID) -> PeerID? { device(original)?.peer }

    /// The device that was added under that name.
    func device(_ peer: PeerID) -> Device? { devicesByPeer[peer] }

    func existing(_ peer: PeerID) -> Device {
        guard let device = device(peer) else { preconditionFailure("no such device: \(peer)") }
        return device
    }
}

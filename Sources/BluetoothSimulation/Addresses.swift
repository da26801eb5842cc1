public import Bluetooth

/// Devices that come back under another address.
extension SimulatedWorld {
    /// The address of a device now, by the one that it was added with. They differ after a reset
    /// of a device whose ``DeviceConfiguration/changesAddress`` is set: `NAME`, then `NAME#2`,
    /// `NAME#3` and so on. Nil where no such device is there.
    public func currentPeer(of original: PeerID) -> PeerID? { device(original)?.peer }

    /// The device that was added under that name, or at that address, or is at it now.
    func device(_ peer: PeerID) -> Device? { devicesByPeer[peer] }

    /// Has a device found by its name, by the address that it was added at, since its owner may
    /// have noted either, and by where it is now.
    func note(_ device: Device) {
        for peer in names(of: device) { devicesByPeer[peer] = device }
    }

    func forget(_ device: Device) {
        for peer in names(of: device) { devicesByPeer[peer] = nil }
    }

    private func names(of device: Device) -> [PeerID] {
        let configuration = device.configuration
        return [
            configuration.peer, configuration.firstAddress, device.peer,
        ]
    }

    func existing(_ peer: PeerID) -> Device {
        guard let device = device(peer) else { preconditionFailure("no such device: \(peer)") }
        return device
    }
}

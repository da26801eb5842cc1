public import Bluetooth

extension SimulatedWorld {
    /// Which side has the keys of the other, for one device. Cheap enough to ask after each event.
    public func bond(with peer: PeerID) -> (central: Bool, device: Bool) {
        (
            centralBonds.contains(currentPeer(of: peer) ?? peer),
            device(peer)?.isBonded ?? deviceBondsToCome.contains(peer)
        )
    }
}

public import Bluetooth

/// Links of this computer that some other program made: the device is linked, so it does not
/// advertise, and whoever wants it takes the link over.
extension SimulatedWorld {
    /// Links this computer to a device in another program's name. Nobody holds the link until
    /// somebody connects to the device. Nothing happens where the device is linked already.
    /// - Precondition: a device of that name is there and has power.
    public func makeForeignLink(to peer: PeerID) {
        let device = existing(peer)
        precondition(device.isPowered, "the device is not up yet: run the world first")
        guard device.links.isEmpty else { return }
        let link = makeLink(to: device)
        link.attMTU = max(ATT.defaultMTU, min(centralATTMTU, device.configuration.attMTU))
        link.isHeld = false
        // Whoever waits for the device's advertisement would wait for nothing.
        if let place = connecting.firstIndex(where: { $0.peer == device.peer }) {
            takeOver(link, connecting.remove(at: place).operation)
        }
    }

    /// The link is the operation's from now on.
    func takeOver(_ link: Link, _ operation: UInt64) {
        link.isHeld = true
        operations[operation]?.link = link.index
        finish(operation, .success(.connection(link.id)))
    }

    /// The devices that offer a service on links that nobody here holds.
    func linkedPeers(offering service: BluetoothUUID) -> [PeerID] {
        liveLinks.filter { isFree($0) && $0.device.attributes.service(service) != nil }
            .map(\.device.peer)
    }

    /// A link to the peer that connecting takes over, instead of waiting for an advertisement that
    /// does not come.
    func freeLink(to peer: PeerID) -> Link? {
        liveLinks.first { $0.device.peer == peer && isFree($0) }
    }

    private func isFree(_ link: Link) -> Bool {
        !link.isHeld && isOnAir(link) && link.ending.peripheral == nil
            && !link.outgoing.central.isTerminating && !link.outgoing.peripheral.isTerminating
    }
}

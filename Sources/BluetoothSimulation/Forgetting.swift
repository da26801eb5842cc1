public import Bluetooth

/// When links and channels are forgotten: as soon as both ends are over and neither side has
/// anything left to ask of them. Their numbers are never used again, and a call that comes late
/// finds the link lost.
extension SimulatedWorld {
    /// The caller is through with a link: once it is over, nothing is kept of it. A link that
    /// stands goes on standing.
    public func release(_ connection: ConnectionID) {
        guard let link = links[Int(connection.rawValue)] else { return }
        release(link)
    }

    /// The caller is through with a channel: once it is over, nothing is kept of it.
    public func release(_ channel: ChannelID) {
        guard let channel = channels[Int(channel.rawValue)] else { return }
        channel.isHeld.central = false
        forgetIfOver(channel)
    }

    func release(_ link: Link) {
        link.isHeld = false
        forgetIfOver(link)
    }

    func forgetIfOver(_ link: Link) {
        guard !link.isHeld, link.ending.central != nil, link.ending.peripheral != nil,
            links[link.index] != nil
        else { return }
        forgottenStatistics.add(link.statistics)
        links.remove(link.index)
        queue.removeAll { $0.link == link.index }
        let channels = link.channels
        // A channel knows its link and is known to it: the circle ends here.
        link.channels.removeAll()
        channels.forEach(forgetIfOver)
    }

    func forgetIfOver(_ channel: Channel) {
        guard !channel.isHeld.central, !channel.isHeld.peripheral,
            channel.ends.central.state != .open, channel.ends.peripheral.state != .open
        else { return }
        channels.remove(Int(channel.id.rawValue))
        channel.link.channels.removeAll { $0 === channel }
    }

    /// The device's application has no further use for a channel.
    func deviceLeaves(_ channel: Channel) {
        channel.isHeld.peripheral = false
        forgetIfOver(channel)
    }

    /// What went over all links so far, those that are forgotten included.
    public var totalStatistics: LinkStatistics {
        links.elements.reduce(into: forgottenStatistics) { $0.add($1.statistics) }
    }

    // MARK: Devices

    /// Takes a device out of the world: it has no power any more, its links end with
    /// ``LinkLossReason/supervisionTimeout`` at once, and its application is let go. What it kept
    /// of pairings stays, for when a device of that name comes back.
    /// - Precondition: a device of that name is there.
    public func removeDevice(_ peer: PeerID) {
        let device = existing(peer)
        deviceBondsToCome[peer] = device.bond
        let links = liveLinks.filter { $0.device === device }
        device.losePower()
        for link in links {
            link.isSevered = true
            silence(link)
            end(link, .central, .supervisionTimeout)
        }
        devices.remove(device.index)
        devicesByPeer[peer] = nil
        queue.removeAll { $0.device == device.index }
        changes.noteAnything()
    }
}

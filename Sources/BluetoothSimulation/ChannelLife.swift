import Bluetooth

/// How channels open and close (Core 5.4, Vol 3, Part A, 4.6, 4.7, 4.22 and 4.23).
extension SimulatedWorld {
    /// The device's answer to a request for a channel.
    func answer(_ request: ChannelRequest, on link: Link) {
        let result: Result<Channel, ChannelRefusalError>
        if let refusal = refusal(of: request, on: link) {
            result = .failure(ChannelRefusalError(refusal: refusal))
        } else {
            result = .success(openChannel(request, on: link))
        }
        enqueue(.channelResponse(request, result), on: link, from: .peripheral)
    }

    private func refusal(of request: ChannelRequest, on link: Link) -> ChannelRefusal? {
        let device = link.device
        guard device.configuration.hasChannels,
            let listener = device.listeners[request.psm.rawValue]
        else { return .psmNotSupported }
        if link.security < listener.security {
            if link.hasTooShortKey(for: listener.security) { return .keyTooShort }
            return listener.security == .encrypted
                ? .insufficientEncryption : .insufficientAuthentication
        }
        let open = device.links.flatMap(\.channels).filter { $0.ends.peripheral.state == .open }
        return open.count < device.configuration.maximumChannels ? nil : .noResources
    }

    private func openChannel(_ request: ChannelRequest, on link: Link) -> Channel {
        guard let listener = link.device.listeners[request.psm.rawValue] else {
            preconditionFailure("the request was not looked at")
        }
        let configuration = link.configuration
        let central = ChannelLimits(
            mtuBytes: request.receiveMTU,
            mpsBytes: min(configuration.effectiveMPSBytes, request.receiveMTU),
            receiveBufferBytes: configuration.centralReceiveBufferBytes,
            credits: configuration.centralCredits)
        let peripheral = ChannelLimits(
            mtuBytes: listener.receiveMTU,
            mpsBytes: min(configuration.effectiveMPSBytes, listener.receiveMTU),
            receiveBufferBytes: listener.receiveBufferBytes, credits: configuration.deviceCredits)
        let id = ChannelID(UInt32(channels.nextNumber))
        let channel = Channel(
            id: id, psm: request.psm, link: link,
            central: ChannelEnd(
                id: id, side: .central, own: central, peer: peripheral,
                configuration: configuration),
            peripheral: ChannelEnd(
                id: id, side: .peripheral, own: peripheral, peer: central,
                configuration: configuration))
        channels.append(channel)
        link.channels.append(channel)
        link.outgoing.central.channels.append(channel.ends.central)
        link.outgoing.peripheral.channels.append(channel.ends.peripheral)
        channel.ends.peripheral.wasAnnounced = true
        channel.isHeld.peripheral = true
        announce(.channelOpened(id, on: link.id), to: link.device)
        return channel
    }

    /// One side closes: what it had queued is gone at once.
    func close(_ channel: Channel, by side: Side) {
        let end = channel.ends[side]
        guard end.state == .open else { return }
        let link = channel.link
        changes.note(link: link.index)
        end.end(.closed)
        detach(channel, side)
        enqueue(.disconnectionRequest(channel), on: link, from: side)
        if side == .peripheral {
            end.wasAnnounced = false
            deviceLeaves(channel)
        }
    }

    /// The other side has closed.
    func closed(_ channel: Channel, by side: Side, on link: Link) {
        let end = channel.ends[side.other]
        guard end.state == .open else { return }
        end.end(.closed)
        detach(channel, side.other)
        if end.side == .peripheral, end.wasAnnounced {
            end.wasAnnounced = false
            announceClosed(channel)
        }
        forgetIfOver(channel)
    }

    /// Tells the device's application that a channel is gone: it may take what is left when it is
    /// called, and not after that.
    func announceClosed(_ channel: Channel) {
        guard channel.link.device.isPowered else { return deviceLeaves(channel) }
        announce(.channelClosed(channel.id), to: channel.link.device)
    }

    private func detach(_ channel: Channel, _ side: Side) {
        let (link, end) = (channel.link, channel.ends[side])
        link.outgoing[side].channels.removeAll { $0 === end }
        if channel.ends[side.other].state != .open {
            link.channels.removeAll { $0 === channel }
        }
    }

    // MARK: Bytes

    func write(_ bytes: UnsafeRawBufferPointer, to channel: Channel, by side: Side) -> Int {
        let taken = channel.ends[side].write(bytes)
        if taken > 0 { kick(channel.link) }
        return taken
    }

    func read(
        from channel: Channel, by side: Side, into buffer: inout [UInt8], maximumBytes: Int
    ) -> Int {
        let end = channel.ends[side]
        let count = end.read(into: &buffer, maximumBytes: maximumBytes)
        if count > 0 { returnCredits(of: end, on: channel.link) }
        return count
    }
}

import Bluetooth

/// How links begin and end: the two sides learn of it at times of their own.
extension SimulatedWorld {
    /// A link to a device that was heard; its first connection event is an interval away.
    func makeLink(to device: Device) -> Link {
        let link = Link(index: links.nextNumber, device: device, seed: seed)
        links.append(link)
        liveLinks.append(link)
        device.links.append(link)
        let first = now.microseconds + link.intervals(1)
        link.lastHeardMicroseconds = BothSides(now.microseconds)
        link.anchorOffsetMicroseconds = first
        link.nextAnchorMicroseconds = first
        if link.configuration.isUnlimited {
            establish(link)
        } else {
            shareRadio()
            queue.push(.anchor(link.index), at: first)
        }
        return link
    }

    func establish(_ link: Link) {
        link.isEstablished = true
        announce(.connected(link.id), to: link.device)
    }

    // MARK: Silence

    func heard(_ link: Link, _ side: Side) {
        link.lastHeardMicroseconds[side] = now.microseconds
        link.isMissing[side] = false
    }

    /// A side heard nothing where it listened: if that lasts, it gives the link up.
    func missed(_ link: Link, _ side: Side) {
        link.isMissing[side] = true
        guard !link.isSupervisionPlanned[side], link.ending[side] == nil else { return }
        link.isSupervisionPlanned[side] = true
        let due = supervisionDue(link, side)
        queue.push(.supervision(link.index, side), at: max(due, now.microseconds))
    }

    func supervise(_ link: Link, _ side: Side) {
        link.isSupervisionPlanned[side] = false
        guard link.isMissing[side], link.ending[side] == nil else { return }
        if supervisionDue(link, side) <= now.microseconds {
            end(link, side, .supervisionTimeout)
        } else {
            missed(link, side)
        }
    }

    private func supervisionDue(_ link: Link, _ side: Side) -> UInt64 {
        link.lastHeardMicroseconds[side] + link.supervisionTimeoutMicroseconds
    }

    /// Nothing gets through from now on.
    func sever(_ link: Link, notice: LossNotice) {
        link.isSevered = true
        switch notice {
        case .immediately:
            end(link, .central, .supervisionTimeout)
            end(link, .peripheral, .supervisionTimeout)
        case .supervisionTimeout:
            listenForSilence(link)
        }
    }

    /// Where no connection events tell of silence, it begins now.
    func listenForSilence(_ link: Link) {
        for side in [Side.central, .peripheral] where !link.isMissing[side] {
            if link.configuration.isUnlimited {
                link.lastHeardMicroseconds[side] = now.microseconds
            }
            missed(link, side)
        }
    }

    // MARK: The end

    /// A side gives the link up, for the reason that it knows.
    func end(_ link: Link, _ side: Side, _ reason: LinkLossReason) {
        guard link.ending[side] == nil else { return }
        link.ending[side] = reason
        trace.mix(now.microseconds, 0x454E_4400 | UInt64(side.rawValue) | UInt64(link.index) << 32)
        for channel in link.channels { channel.ends[side].end(.lost(reason)) }
        switch side {
        case .central: centralLost(link, reason)
        case .peripheral: peripheralLost(link)
        }
        link.outgoing[side].discard()
        if link.ending[side.other] == nil {
            // The other side hears nothing of this one any more.
            listenForSilence(link)
        } else {
            liveLinks.removeAll { $0 === link }
        }
        if side == .central { shareRadio() }
        link.channels.forEach(forgetIfOver)
        forgetIfOver(link)
    }

    private func centralLost(_ link: Link, _ reason: LinkLossReason) {
        changes.note(link: link.index)
        if link.securing != nil { link.endSecuring() }
        failOperations(of: link, .linkLost(reason))
        if let operation = link.disconnecting { finish(operation, .success(.nothing)) }
        link.disconnecting = nil
    }

    private func peripheralLost(_ link: Link) {
        let device = link.device
        guard device.links.contains(where: { $0 === link }) else { return }
        device.links.removeAll { $0 === link }
        for channel in link.channels where channel.ends.peripheral.wasAnnounced {
            channel.ends.peripheral.wasAnnounced = false
            announceClosed(channel)
        }
        if link.isEstablished { announce(.disconnected(link.id), to: device) }
        planAdvertising(device)
    }

    /// LL_TERMINATE_IND of one side has reached the other.
    func terminated(_ link: Link, by side: Side) {
        end(link, side.other, .remoteTerminated)
        end(link, side, .localTerminated)
    }

    /// Asks the link layer to end the link with this side's next packet.
    func terminate(_ link: Link, by side: Side) {
        guard link.ending[side] == nil else { return }
        link.outgoing[side].isTerminating = true
        kick(link)
    }
}

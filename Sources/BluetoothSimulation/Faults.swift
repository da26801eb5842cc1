public import Bluetooth

/// What goes wrong, when the owner says so.
extension SimulatedWorld {
    /// Lets so many packets with data pass on the links to a device, in either direction and those
    /// sent again included, counted from now; the one after them does not arrive, and its link is
    /// dead from there. On a link without air time, whole PDUs are counted. The rule holds once.
    public func cutLink(
        to peer: PeerID, afterDataPackets count: Int,
        notice: LossNotice = .supervisionTimeout
    ) {
        precondition(count >= 0)
        existing(peer).cut = Device.Cut(dataPacketsLeft: count, notice: notice)
    }

    /// Kills all links to a device now.
    public func severLinks(to peer: PeerID, notice: LossNotice = .immediately) {
        for link in liveLinks where link.device.configuration.peer == peer {
            sever(link, notice: notice)
        }
    }

    /// The device is out of range for so long: its links survive if that is shorter than their
    /// supervision timeout.
    public func vanish(_ peer: PeerID, forMicroseconds duration: UInt64) {
        let device = existing(peer)
        device.unreachableUntilMicroseconds = now.microseconds + duration
        plan(.reachable(device: device.index), after: duration)
        for link in device.links where link.configuration.isUnlimited { listenForSilence(link) }
    }

    /// Nobody hears anybody for so long.
    public func loseAirtime(forMicroseconds duration: UInt64) {
        noiseUntilMicroseconds = now.microseconds + duration
        for link in liveLinks where link.configuration.isUnlimited {
            listenForSilence(link)
            plan(.reachable(device: link.device.index), after: duration)
        }
    }

    /// The device loses power now, and has it again after so long: its links die without a word,
    /// and its application's next event is ``PeripheralEvent/poweredOn``.
    public func resetDevice(_ peer: PeerID, offMicroseconds: UInt64 = 0) {
        reset(existing(peer), offMicroseconds: offMicroseconds)
    }

    /// Switches the central's adapter; off ends its links with ``LinkLossReason/adapterGone``.
    public func setAdapterPowered(_ isPowered: Bool) {
        isAdapterPowered = isPowered
        changes.noteAnything()
        guard !isPowered else { return }
        for link in liveLinks { end(link, .central, .adapterGone) }
        for attempt in connecting { finish(attempt.operation, .failure(.poweredOff)) }
        connecting.removeAll()
    }

    /// Counts a packet with data; false where it is the one that kills its link.
    func passesCut(_ link: Link) -> Bool {
        countForFaults(link.device)
        guard let cut = link.device.cut, !link.isSevered else { return true }
        guard cut.dataPacketsLeft == 0 else {
            link.device.cut?.dataPacketsLeft -= 1
            return true
        }
        link.device.cut = nil
        sever(link, notice: cut.notice)
        return false
    }

    func becomeReachable(_ device: Device) {
        guard device.unreachableUntilMicroseconds <= now.microseconds,
            noiseUntilMicroseconds <= now.microseconds
        else { return }
        for link in device.links where link.configuration.isUnlimited && !link.isSevered {
            heard(link, .central)
            heard(link, .peripheral)
            kick(link)
        }
    }

    func reset(_ device: Device, offMicroseconds: UInt64) {
        let links = device.links
        device.losePower()
        forget(device)
        device.changeAddress()
        note(device)
        for link in links {
            silence(link)
            if link.ending.central == nil {
                if link.configuration.isUnlimited { listenForSilence(link) }
            } else {
                liveLinks.removeAll { $0 === link }
                forgetIfOver(link)
            }
        }
        plan(
            .powerOn(device: device.index, generation: device.generation), after: offMicroseconds)
    }

    /// A device without power knows nothing of its links, and its application hears nothing.
    func silence(_ link: Link) {
        if link.ending.peripheral == nil { link.ending.peripheral = .localTerminated }
        for channel in link.channels {
            channel.ends.peripheral.end(.lost(.localTerminated))
            deviceLeaves(channel)
        }
        link.outgoing.peripheral.discard()
    }

    func powerOn(_ device: Device, _ generation: Int) {
        guard generation == device.generation, !device.isPowered else { return }
        device.isPowered = true
        if generation > 0 {
            device.staleNameUntilMicroseconds =
                now.microseconds + device.configuration.staleNameMicroseconds
        }
        planReboot(device)
        announce(.poweredOn, to: device)
    }

    private func planReboot(_ device: Device) {
        guard let mean = device.configuration.meanMicrosecondsBetweenResets else { return }
        plan(
            .reboot(device: device.index, generation: device.generation),
            after: device.reboots.nextExponential(mean: mean))
    }

    func reboot(_ device: Device, _ generation: Int) {
        guard generation == device.generation, device.isPowered else { return }
        reset(device, offMicroseconds: device.configuration.rebootMicroseconds)
    }
}

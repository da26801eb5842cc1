import Bluetooth

/// Connection events as Core 5.4, Vol 6, Part B, 4.5 has them: the central's packet, T_IFS, the
/// peripheral's, T_IFS, for as long as either has more (its MD bit) and a whole exchange ends
/// before the next anchor. What a packet carries was queued before the exchange began: no host
/// answers within T_IFS. A damaged packet ends the event, and the next one sends it again.
extension SimulatedWorld {
    func beginConnectionEvent(_ link: Link) {
        guard isOnAir(link) else { return }
        if radioBusyUntilMicroseconds > now.microseconds {
            // Another link's exchange did not end in time: this event begins late.
            link.nextAnchorMicroseconds = radioBusyUntilMicroseconds
            queue.push(.anchor(link.index), at: radioBusyUntilMicroseconds)
            return
        }
        link.exchangesInEvent = 0
        link.nextAnchorMicroseconds = anchor(of: link, after: now.microseconds)
        link.eventLimitMicroseconds = eventLimit(of: link)
        prepare(link, .central)
        sendCentralPacket(link, at: now.microseconds)
    }

    private func sendCentralPacket(_ link: Link, at microseconds: UInt64) {
        let end = microseconds + link.airTime(link.outgoing.central.packetBytes)
        radioBusyUntilMicroseconds = end
        queue.push(.centralPacketEnded(link.index), at: end)
    }

    func centralPacketEnded(_ link: Link) {
        guard isOnAir(link) else { return }
        link.statistics.exchanges += 1
        let arrives = packetArrives(link, from: .central)
        traceExchange(link, .central, arrives)
        guard arrives else {
            // Without it the peripheral is silent, so the central hears nothing either.
            missed(link, .central)
            missed(link, .peripheral)
            return endConnectionEvent(link)
        }
        if !link.isEstablished { establish(link) }
        heard(link, .peripheral)
        if link.outgoing.peripheral.acknowledge() { announceRoom(link) }
        prepareAnswer(link)
        let answerBytes = link.outgoing.peripheral.packetBytes
        let end = now.microseconds + Self.interFrameSpace + link.airTime(answerBytes)
        radioBusyUntilMicroseconds = end + Self.interFrameSpace
        queue.push(.peripheralPacketEnded(link.index), at: end)
        deliverPacket(link, from: .central)
    }

    func peripheralPacketEnded(_ link: Link) {
        guard isOnAir(link) else { return }
        let arrives = packetArrives(link, from: .peripheral)
        traceExchange(link, .peripheral, arrives)
        guard arrives else {
            missed(link, .central)
            return endConnectionEvent(link)
        }
        heard(link, .central)
        if link.outgoing.central.acknowledge() { changes.note(link: link.index) }
        link.exchangesInEvent += 1
        let wantsMore = link.hasMore.central || link.hasMore.peripheral
        if wantsMore { prepare(link, .central) }
        let goesOn = wantsMore && nextExchangeFits(link)
        if goesOn {
            sendCentralPacket(link, at: now.microseconds + Self.interFrameSpace)
        } else {
            endConnectionEvent(link)
        }
        deliverPacket(link, from: .peripheral)
    }

    /// Makes a side's next packet from what its host has queued by now, and its MD bit.
    private func prepare(_ link: Link, _ side: Side) {
        let outgoing = link.outgoing[side]
        outgoing.prepare(dataLength: link.timing.dataLengthBytes)
        link.hasMore[side] = outgoing.hasMore
    }

    /// Makes the peripheral's packet. What was queued since the exchange began may be longer than
    /// what is left of the event: then it waits, and the packet is empty.
    private func prepareAnswer(_ link: Link) {
        let outgoing = link.outgoing.peripheral
        let bytes = outgoing.nextPacketBytes(dataLength: link.timing.dataLengthBytes)
        let end = now.microseconds + 2 * Self.interFrameSpace + link.airTime(bytes)
        let isTooLong = link.exchangesInEvent > 0 && end > link.eventLimitMicroseconds
        if isTooLong && !outgoing.isAwaitingAcknowledgement {
            link.hasMore.peripheral = true
        } else {
            prepare(link, .peripheral)
        }
    }

    private func nextExchangeFits(_ link: Link) -> Bool {
        if let most = link.configuration.maximumExchangesPerEvent, link.exchangesInEvent >= most {
            return false
        }
        if liveLinks.count > 1 { link.eventLimitMicroseconds = eventLimit(of: link) }
        let answerBytes = link.outgoing.peripheral.nextPacketBytes(
            dataLength: link.timing.dataLengthBytes)
        let cycle =
            link.airTime(link.outgoing.central.packetBytes) + link.airTime(answerBytes)
            + 2 * Self.interFrameSpace
        return now.microseconds + Self.interFrameSpace + cycle <= link.eventLimitMicroseconds
    }

    private func endConnectionEvent(_ link: Link) {
        if link.nextAnchorMicroseconds <= now.microseconds {
            // An exchange longer than the interval: the anchors that it covers are left out.
            link.nextAnchorMicroseconds = anchor(of: link, after: now.microseconds)
        }
        queue.push(.anchor(link.index), at: link.nextAnchorMicroseconds)
    }

    // MARK: What arrives

    /// Counts the packet on the air, and decides whether it arrives whole.
    func packetArrives(_ link: Link, from side: Side) -> Bool {
        let outgoing = link.outgoing[side]
        if outgoing.packetBytes > 0 {
            link.statistics.dataPackets += 1
            if outgoing.countTransmission() > 1 { link.statistics.repeatedDataPackets += 1 }
            if !passesCut(link) { return false }
        }
        // The draw comes first, so that the order of draws depends on nothing else.
        let isDamaged = link.lossThreshold > 0 && link.loss.hits(link.lossThreshold)
        return !isDamaged && isReachable(link)
    }

    func isOnAir(_ link: Link) -> Bool { link.ending.central == nil }

    func isReachable(_ link: Link) -> Bool {
        !link.isSevered && link.ending.peripheral == nil
            && link.device.unreachableUntilMicroseconds <= now.microseconds
            && noiseUntilMicroseconds <= now.microseconds
    }

    /// Hands the packet on the air to the other side, unless that has it from an earlier try.
    func deliverPacket(_ link: Link, from side: Side) {
        let outgoing = link.outgoing[side]
        guard outgoing.isAwaitingAcknowledgement, !outgoing.wasHeard else { return }
        if outgoing.isTerminating { return terminated(link, by: side) }
        if outgoing.packetWasHeard() { deliverPDU(link, from: side) }
    }

    private func traceExchange(_ link: Link, _ side: Side, _ arrives: Bool) {
        let outcome = UInt64(arrives ? 1 : 0) | UInt64(side.rawValue) << 1
        trace.mix(
            now.microseconds,
            outcome | UInt64(link.index) << 8 | UInt64(link.outgoing[side].packetBytes) << 40)
    }

    /// T_IFS.
    static var interFrameSpace: UInt64 { UInt64(LinkTiming.interFrameSpaceMicroseconds) }
}

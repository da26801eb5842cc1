import Bluetooth

/// L2CAP on a link: what a whole PDU does when it has arrived (Core 5.4, Vol 3, Part A).
extension SimulatedWorld {
    func deliverPDU(_ link: Link, from side: Side) {
        let outgoing = link.outgoing[side]
        if side == .peripheral { changes.note(link: link.index) }
        switch outgoing.pdu {
        case .none:
            break
        case .signal:
            if let signal = outgoing.signals.first { deliver(signal, on: link, from: side) }
        case .attribute:
            guard let attribute = outgoing.attributes.first else { return }
            switch side {
            case .central: serve(attribute, on: link)
            case .peripheral: receive(attribute, on: link)
            }
        case .frame:
            if let sender = outgoing.frameChannel { deliverFrame(of: sender, on: link) }
        }
    }

    private func deliverFrame(of sender: ChannelEnd, on link: Link) {
        guard let receiver = channel(sender.id)?.ends[sender.side.other] else { return }
        let lostBefore = receiver.lostSDUCount
        let isComplete = receiver.takeFrame(from: sender)
        link.statistics.lostSDUs += receiver.lostSDUCount - lostBefore
        returnCredits(of: receiver, on: link)
        if isComplete, receiver.side == .peripheral, receiver.readableBytes > 0 {
            announceReadable(receiver, on: link)
        }
    }

    /// Sends the credits that a receiver has granted; those that already wait go along.
    func returnCredits(of end: ChannelEnd, on link: Link) {
        guard end.creditsToReturn > 0, !end.isCreditReturnQueued else { return }
        end.isCreditReturnQueued = true
        enqueue(.credits(end), on: link, from: end.side)
    }

    private func deliver(_ signal: Signal, on link: Link, from side: Side) {
        switch signal {
        case .channelRequest(let request):
            answer(request, on: link)
        case .channelResponse(let request, let result):
            switch result {
            case .success(let channel):
                if operations[request.operation] == nil {
                    close(channel, by: .central)
                    return forgetIfOver(channel)
                }
                channel.isHeld.central = true
                finish(request.operation, .success(.channel(channel.id)))
            case .failure(let error):
                finish(request.operation, .failure(.channelRefused(error.refusal)))
            }
        case .credits(let end):
            channel(end.id)?.ends[end.side.other].peerCreditsGranted(end.creditsToReturn)
            end.creditsToReturn = 0
            end.isCreditReturnQueued = false
        case .disconnectionRequest(let channel):
            closed(channel, by: side, on: link)
            enqueue(.disconnectionResponse, on: link, from: side.other)
        case .disconnectionResponse:
            break
        }
    }

    func enqueue(_ signal: Signal, on link: Link, from side: Side) {
        guard link.ending[side] == nil else { return }
        link.outgoing[side].enqueue(signal)
        kick(link)
    }

    // MARK: Links without air time

    /// Something is to be sent: a link without connection events needs one planned.
    func kick(_ link: Link) {
        guard link.configuration.isUnlimited, !link.isFlushPlanned else { return }
        link.isFlushPlanned = true
        plan(.flush(link.index), after: 0)
    }

    /// Moves whole PDUs in both directions, so many at a time that a step stays short.
    func flush(_ link: Link) {
        link.isFlushPlanned = false
        guard isOnAir(link), isReachable(link) else { return }
        for _ in 0..<Self.flushRounds {
            let moved = (movePDU(link, from: .central), movePDU(link, from: .peripheral))
            guard isOnAir(link), isReachable(link) else { return }
            if !moved.0 && !moved.1 { return }
        }
        kick(link)
    }

    private func movePDU(_ link: Link, from side: Side) -> Bool {
        let outgoing = link.outgoing[side]
        guard isOnAir(link), isReachable(link), outgoing.prepareWholePDU() else { return false }
        trace.mix(
            UInt64(link.index) << 32 | UInt64(outgoing.packetBytes) << 1 | UInt64(side.rawValue))
        guard packetArrives(link, from: side) else { return false }
        deliverPacket(link, from: side)
        if outgoing.acknowledge() {
            switch side {
            case .central: changes.note(link: link.index)
            case .peripheral: announceRoom(link)
            }
        }
        return true
    }

    private static let flushRounds = 16
}

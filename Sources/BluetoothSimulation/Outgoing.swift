/// What one side of a link has for the air: whole L2CAP PDUs in queues, the PDU that is being
/// sent, and its packet that awaits the other side's acknowledgement.
final class Outgoing {
    /// A PDU by where it comes from. Its content stays in its queue until it is acknowledged.
    enum PDU {
        case none
        case signal
        case attribute
        case frame
    }

    private(set) var signals = FIFO<Signal>()
    private(set) var attributes = FIFO<AttributePDU>()
    /// How many of ``attributes`` nobody answers: write commands or notifications.
    private(set) var unansweredAttributeCount = 0
    var channels: [ChannelEnd] = []
    /// Set where the link layer is to end the link with its next packet.
    var isTerminating = false

    private(set) var pdu = PDU.none
    private(set) var frameChannel: ChannelEnd?
    private var pduBytesLeft = 0
    private var lastTurn = 0

    /// Payload of the packet on the air; 0 for an empty one.
    private(set) var packetBytes = 0
    /// True from the moment a packet is made until it is acknowledged.
    private(set) var isAwaitingAcknowledgement = false
    /// True where the other side has the packet already, and only its acknowledgement is missing.
    private(set) var wasHeard = false
    private var transmissions = 0

    func enqueue(_ signal: Signal) { signals.append(signal) }

    func enqueue(_ attribute: AttributePDU) {
        attributes.append(attribute)
        if attribute.isUnanswered { unansweredAttributeCount += 1 }
    }

    /// Forgets everything: the link is gone.
    func discard() {
        signals.removeAll()
        attributes.removeAll()
        unansweredAttributeCount = 0
        channels.removeAll()
        pdu = .none
        frameChannel = nil
        pduBytesLeft = 0
        packetBytes = 0
        isAwaitingAcknowledgement = false
    }

    /// Payload bytes of the packet that would be next, once what is on the air has arrived.
    func nextPacketBytes(dataLength: Int) -> Int {
        if isAwaitingAcknowledgement && !wasHeard { return packetBytes }
        if isTerminating { return Self.terminateBytes }
        let left = pduBytesLeft - (isAwaitingAcknowledgement ? packetBytes : 0)
        return min(left > 0 ? left : nextPDUBytes, dataLength)
    }

    /// Whether anything follows the packet on the air: the MD bit (Core 5.4, Vol 6, Part B, 4.5.6).
    var hasMore: Bool { pduBytesLeft > packetBytes || nextPDUBytes > 0 }

    /// Makes the next packet, unless one still awaits its acknowledgement.
    func prepare(dataLength: Int) {
        guard !isAwaitingAcknowledgement else { return }
        wasHeard = false
        transmissions = 0
        if isTerminating {
            packetBytes = Self.terminateBytes
        } else {
            if pduBytesLeft == 0 { startPDU() }
            packetBytes = min(pduBytesLeft, dataLength)
        }
        isAwaitingAcknowledgement = packetBytes > 0
    }

    /// Takes a whole PDU as one packet: a link without air time.
    func prepareWholePDU() -> Bool {
        prepare(dataLength: .max)
        return isAwaitingAcknowledgement
    }

    /// How often the packet has been on the air, this time counted.
    func countTransmission() -> Int {
        transmissions += 1
        return transmissions
    }

    /// The other side has the packet. True where it completes a PDU.
    func packetWasHeard() -> Bool {
        wasHeard = true
        return packetBytes == pduBytesLeft && !isTerminating
    }

    /// The other side has said that it has the packet. True where that completes a PDU.
    @discardableResult
    func acknowledge() -> Bool {
        guard isAwaitingAcknowledgement, wasHeard else { return false }
        isAwaitingAcknowledgement = false
        pduBytesLeft = max(0, pduBytesLeft - packetBytes)
        packetBytes = 0
        guard pduBytesLeft == 0 else { return false }
        finishPDU()
        return true
    }

    private func finishPDU() {
        switch pdu {
        case .none: break
        case .signal: _ = signals.popFirst()
        case .attribute:
            if let sent = attributes.popFirst(), sent.isUnanswered { unansweredAttributeCount -= 1 }
        case .frame: frameChannel?.frameWasAcknowledged()
        }
        pdu = .none
        frameChannel = nil
    }

    /// The PDU that is being sent is not counted, though it is still first in its queue.
    private var nextPDUBytes: Int {
        let signalIndex = pdu == .signal ? 1 : 0
        if signals.count > signalIndex { return signals[signalIndex].pduBytes }
        let attributeIndex = pdu == .attribute ? 1 : 0
        if attributes.count > attributeIndex { return attributes[attributeIndex].pduBytes }
        for end in channels where end.canSend {
            return end.nextFrameBytes
        }
        return 0
    }

    /// Signals first; then attributes and channels take turns.
    private func startPDU() {
        if let signal = signals.first {
            pdu = .signal
            pduBytesLeft = signal.pduBytes
            return
        }
        let places = channels.count + 1
        for offset in 1...places {
            let place = (lastTurn + offset) % places
            guard start(place: place) else { continue }
            lastTurn = place
            return
        }
    }

    private func start(place: Int) -> Bool {
        guard place > 0 else {
            guard let attribute = attributes.first else { return false }
            pdu = .attribute
            pduBytesLeft = attribute.pduBytes
            return true
        }
        let end = channels[place - 1]
        guard end.canSend else { return false }
        pdu = .frame
        frameChannel = end
        pduBytesLeft = end.startFrame()
        return true
    }

    /// LL_TERMINATE_IND: opcode and reason (Core 5.4, Vol 6, Part B, 2.4.2.3).
    private static let terminateBytes = 2
}

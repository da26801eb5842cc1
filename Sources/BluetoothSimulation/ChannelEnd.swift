import Bluetooth

/// A connection-oriented channel: two ends, each with what it has to send and what it holds.
final class Channel {
    let id: ChannelID
    let psm: PSM
    let link: Link
    let ends: BothSides<ChannelEnd>
    /// Which side's owner may still ask for what is left on it.
    var isHeld = BothSides(false)

    init(id: ChannelID, psm: PSM, link: Link, central: ChannelEnd, peripheral: ChannelEnd) {
        self.id = id
        self.psm = psm
        self.link = link
        var ends = BothSides(central)
        ends.peripheral = peripheral
        self.ends = ends
        central.peerCreditsGranted(peripheral.credits.outstanding)
        peripheral.peerCreditsGranted(central.credits.outstanding)
    }
}

/// What one side takes on a channel.
struct ChannelLimits {
    let mtuBytes: Int
    let mpsBytes: Int
    let receiveBufferBytes: Int
    let credits: CreditPolicy
}

/// One side of a channel.
final class ChannelEnd {
    /// How an end stands.
    enum State: Hashable {
        case open
        case closed
        case lost(LinkLossReason)
    }

    let id: ChannelID
    let side: Side
    var state = State.open

    // What is to be sent: bytes, and the lengths of the SDUs that they are cut into.
    private(set) var sending = ByteRing()
    private var sduLengths = FIFO<Int>()
    private var sduBytesLeft = 0
    private var isAtSDUStart = true
    private(set) var peerCredits = 0
    private let sendBufferBytes: Int
    /// The most bytes of one SDU, so that its K-frames are full.
    let efficientWriteBytes: Int
    private let peerMPSBytes: Int
    /// False from the moment the queue is full until half of it is gone.
    private(set) var isWritable = true
    /// Set where a write was cut short: somebody wants to know when it goes on.
    var isAwaitingRoom = false

    // The frame on the air.
    private var frameBytes = 0
    private(set) var frameStartsSDU = false
    /// Its SDU's length, for the receiver.
    private(set) var frameSDUBytes = 0

    // What has arrived: whole SDUs, and the beginning of one behind them.
    private var received = ByteRing()
    private(set) var readableBytes = 0
    private var partialBytes = 0
    private var partialSDUBytes = 0
    var credits: CreditAccount
    /// Credits that are granted, and not yet on the air.
    var creditsToReturn = 0
    /// True where those already wait in a PDU.
    var isCreditReturnQueued = false
    /// True from the moment the device's application is told of the channel until it is told of
    /// its end, or ends it itself.
    var wasAnnounced = false
    /// True where the application was told of bytes and has not been called yet.
    var isReadableAnnounced = false
    /// SDUs thrown away because the buffer was full.
    private(set) var lostSDUCount = 0

    init(
        id: ChannelID, side: Side, own: ChannelLimits, peer: ChannelLimits,
        configuration: LinkConfiguration
    ) {
        self.id = id
        self.side = side
        peerMPSBytes = min(peer.mpsBytes, peer.mtuBytes + LinkCeiling.sduLengthBytes)
        let frames = min(
            (peer.mtuBytes + LinkCeiling.sduLengthBytes) / peerMPSBytes,
            configuration.maximumFramesPerSDU)
        efficientWriteBytes = max(1, frames) * peerMPSBytes - LinkCeiling.sduLengthBytes
        sendBufferBytes = configuration.sendBufferBytes ?? 4 * efficientWriteBytes
        credits = CreditAccount(
            policy: own.credits, mpsBytes: own.mpsBytes, mtuBytes: own.mtuBytes,
            bufferBytes: max(own.receiveBufferBytes, own.mtuBytes))
    }

    /// Whether a write would take anything, or tell that it never will.
    var isReadyToWrite: Bool { state != .open || isWritable }
    /// Whether a read would bring anything, or tell that it never will.
    var isReadyToRead: Bool { state != .open || readableBytes > 0 }

    // MARK: Sending

    /// Takes whole SDUs for as long as there is room; returns how many bytes those were.
    func write(_ bytes: UnsafeRawBufferPointer) -> Int {
        var taken = 0
        while taken < bytes.count, sending.count < sendBufferBytes {
            let sdu = min(bytes.count - taken, efficientWriteBytes)
            sending.append(UnsafeRawBufferPointer(rebasing: bytes[taken..<taken + sdu]))
            sduLengths.append(sdu)
            taken += sdu
        }
        if sending.count >= sendBufferBytes { isWritable = false }
        if taken < bytes.count { isAwaitingRoom = true }
        return taken
    }

    var canSend: Bool { peerCredits > 0 && (sduBytesLeft > 0 || !sduLengths.isEmpty) }

    /// The PDU that ``startFrame()`` would begin, basic header included.
    var nextFrameBytes: Int {
        let left = sduBytesLeft > 0 ? sduBytesLeft : (sduLengths.first ?? 0) + Self.lengthBytes
        return min(left, peerMPSBytes) + LinkCeiling.basicHeaderBytes
    }

    /// Begins the next K-frame, spends its credit, and returns its bytes, basic header included.
    func startFrame() -> Int {
        if sduBytesLeft == 0, let sdu = sduLengths.popFirst() {
            frameSDUBytes = sdu
            sduBytesLeft = sdu + Self.lengthBytes
            isAtSDUStart = true
        }
        let payload = min(sduBytesLeft, peerMPSBytes)
        frameStartsSDU = isAtSDUStart
        frameBytes = payload - (isAtSDUStart ? Self.lengthBytes : 0)
        sduBytesLeft -= payload
        isAtSDUStart = false
        peerCredits -= 1
        return payload + LinkCeiling.basicHeaderBytes
    }

    func peerCreditsGranted(_ count: Int) { peerCredits += count }

    /// The frame's bytes are the other side's now. A frame of a channel that was closed meanwhile
    /// has none.
    func frameWasAcknowledged() {
        sending.dropFirst(min(frameBytes, sending.count))
        frameBytes = 0
        if sending.count <= sendBufferBytes / 2 { isWritable = true }
    }

    // MARK: Receiving

    /// Takes the frame on the air from the other end, and returns whether it completes an SDU.
    func takeFrame(from sender: ChannelEnd) -> Bool {
        guard state == .open else { return false }
        credits.frameArrived()
        if sender.frameStartsSDU {
            partialSDUBytes = sender.frameSDUBytes
            partialBytes = 0
        }
        sender.sending.copyFirst(sender.frameBytes, to: &received)
        partialBytes += sender.frameBytes
        let isComplete = partialBytes == partialSDUBytes
        if isComplete { completeSDU() }
        creditsToReturn += credits.returnAfterFrame(
            completesSDU: isComplete, heldBytes: readableBytes, partialBytes: partialBytes)
        return isComplete
    }

    private func completeSDU() {
        if credits.losesWhenFull, readableBytes + partialBytes > credits.bufferBytes {
            received.dropLast(partialBytes)
            lostSDUCount += 1
        } else {
            readableBytes += partialBytes
        }
        partialBytes = 0
        partialSDUBytes = 0
    }

    /// Hands out what has arrived.
    func read(into buffer: inout [UInt8], maximumBytes: Int) -> Int {
        let count = min(maximumBytes, readableBytes)
        guard count > 0 else { return 0 }
        received.withFirst(count) { buffer.append(contentsOf: $0) }
        received.dropFirst(count)
        readableBytes -= count
        if state == .open {
            creditsToReturn += credits.returnAfterRead(
                heldBytes: readableBytes, partialBytes: partialBytes)
        } else if readableBytes == 0 {
            received.discard()
        }
        return count
    }

    /// Ends it: what was not sent is lost, and so is half an SDU (Core 5.4, Vol 3, Part A, 4.6).
    func end(_ state: State) {
        guard self.state == .open else { return }
        self.state = state
        sending.discard()
        sduLengths.removeAll()
        sduBytesLeft = 0
        frameBytes = 0
        received.dropLast(partialBytes)
        partialBytes = 0
        if readableBytes == 0 { received.discard() }
    }

    private static let lengthBytes = LinkCeiling.sduLengthBytes
}

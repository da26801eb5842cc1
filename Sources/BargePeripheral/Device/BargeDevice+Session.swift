import BargeCoding
import BargeProtocol
import Bluetooth

/// One turn after the other: what is due goes out, then a frame comes in, then a block is made.
extension BargeDevice {
    /// Moves a pipe on until it waits for the stack, for the flash, or for the host.
    func pump(_ pipe: Pipe, _ stack: inout some PeripheralStack) {
        pipe.probeWhereDue(stack.now)
        advance(pipe, &stack)
        guard pipes[pipe.carrier] === pipe else { return }
        pipe.awaitHost(stack.now)
        if pipe.probeAt != nil { scheduleWake(&stack, now: stack.now) }
    }

    private func advance(_ pipe: Pipe, _ stack: inout some PeripheralStack) {
        var last = Turn.frame
        while last != .nothing, pipes[pipe.carrier] === pipe {
            // One look at the clock decides and plans: between two looks the flash may be done,
            // and nobody would be woken for what waits for it.
            let now = stack.now
            if now < busyUntil {
                reportBusy(now)
                pipe.flush(to: &stack)
                scheduleWake(&stack, now: now)
                return
            }
            busyReport = nil
            pipe.releaseAfterBusy()
            pipe.flush(to: &stack, holdsRest: last == .block)
            guard !pipe.isClosing, pipe.outgoing.count < pipe.outgoingBound else { return }
            last = turn(pipe, &stack)
        }
        pipe.flush(to: &stack)
    }

    /// What a turn did. An answer goes out at once; a block may wait for the next to fill an SDU.
    private enum Turn {
        case frame
        case block
        case acknowledgement
        case nothing
    }

    private func turn(_ pipe: Pipe, _ stack: inout some PeripheralStack) -> Turn {
        if takeFrame(pipe, &stack) { return .frame }
        if makeBlock(pipe, &stack) { return .block }
        return fallIdle(pipe, stack.now) ? .acknowledgement : .nothing
    }

    /// Takes one whole frame, if there is one.
    private func takeFrame(_ pipe: Pipe, _ stack: inout some PeripheralStack) -> Bool {
        do throws(ProtocolFault) {
            while true {
                switch try pipe.incoming.withBytes({ (bytes) throws(ProtocolFault) in
                    try pipe.parser.next(in: bytes.bytes)
                }) {
                case .incomplete:
                    guard pipe.fill(from: &stack) else { return false }
                case .frame(let layout):
                    try take(layout, pipe, &stack)
                    return true
                }
            }
        } catch {
            carryOut(pipe.session.violation(error), pipe, &stack)
            return true
        }
    }

    private func take(
        _ layout: FrameLayout, _ pipe: Pipe, _ stack: inout some PeripheralStack
    ) throws(ProtocolFault) {
        let body = pipe.incoming.withBytes { Array($0[layout.body]) }
        pipe.incoming.drop(layout.totalBytes)
        guard let message = try Message.decode(type: layout.type, body: body.span.bytes) else {
            return
        }
        let step = pipe.session.handle(tag: layout.tag, message: message)
        if pipe.session.terms != nil {
            pipe.parser.maximumBodyBytes = Int(pipe.session.hello.bodyBytes)
        }
        carryOut(step, pipe, &stack, tag: layout.tag, body: body)
    }

    /// No block has come for a while: what is durable is acknowledged (BTP-063).
    private func fallIdle(_ pipe: Pipe, _ now: LinkInstant) -> Bool {
        guard case .writing(let writing) = pipe.transfer, let idleAt = writing.idleAt,
            now >= idleAt
        else { return false }
        writing.idleAt = nil
        let tag = pipe.session.openTag
        guard let acknowledgement = pipe.session.fellIdle() else { return false }
        pipe.enqueue(acknowledgement, tag: tag, isBusy: false)
        return true
    }

    /// While blocks follow one another half a window of them shares one ACK, since each takes air
    /// from the blocks: between two of them the device is not idle yet.
    private func awaitNextBlock(_ pipe: Pipe, _ stack: inout some PeripheralStack) {
        guard case .writing(let writing) = pipe.transfer else { return }
        let interval = stack.parameters(of: pipe.carrier.connection).connectionIntervalMicroseconds
        let patience = max(2 * UInt64(interval ?? 0), Self.leastIdleMicroseconds)
        writing.idleAt = max(stack.now, busyUntil).advanced(microseconds: patience)
        scheduleWake(&stack, now: stack.now)
    }

    /// Longer than the longest SDU takes on an uncoded link: blocks come in its rhythm.
    private static var leastIdleMicroseconds: UInt64 { 250_000 }

    private func carryOut(
        _ step: DeviceStep, _ pipe: Pipe, _ stack: inout some PeripheralStack, tag: UInt8 = 0,
        body: [UInt8] = []
    ) {
        switch step {
        case .none: break
        case .openWrite(let request):
            answer(pipe, tag, &stack) { () throws(DeviceRefusal) in
                try self.openWrite(request, pipe)
            }
        case .store(let header):
            answer(pipe, tag, &stack, activity: .erasing) {
                [now = stack.now] () throws(DeviceRefusal) in
                try self.store(header, body, pipe, now: now)
            }
            awaitNextBlock(pipe, &stack)
        case .commit:
            answer(pipe, tag, &stack) { [now = stack.now] () throws(DeviceRefusal) in
                try self.commit(pipe, now: now)
            }
        case .openRead(let request):
            answer(pipe, tag, &stack, activity: .reading) { () throws(DeviceRefusal) in
                try self.openRead(request, pipe)
            }
        case .answer(let request): answer(request, body: body, tag: tag, pipe, &stack)
        case .refuse(let tag, let error):
            pipe.transfer = .none
            pipe.enqueue(.error(error), tag: tag, isBusy: false)
        case .cancel(let tag):
            pipe.transfer = .none
            pipe.enqueue(.canceled, tag: tag, isBusy: false)
        case .abandon:
            pipe.transfer = .none
            pipe.isClosing = pipe.session.isOver
        case .finish:
            pipe.transfer = .none
            pipe.enqueue(.fin, tag: 0, isBusy: false)
            pipe.isClosing = true
            pipe.flush(to: &stack)
        case .fail(let error):
            pipe.transfer = .none
            pipe.enqueue(.error(error), tag: 0, isBusy: false)
            pipe.isClosing = true
            pipe.closesWhenDrained = error.scope == .channel
            pipe.flush(to: &stack)
        }
    }

    /// Carries out what may fail: its answer goes out when the flash is done, its error at once.
    func answer(
        _ pipe: Pipe, _ tag: UInt8, _ stack: inout some PeripheralStack,
        activity: BusyReport.Activity = .verifying,
        _ body: () throws(DeviceRefusal) -> Message?
    ) {
        do throws(DeviceRefusal) {
            let message = try body()
            spendFlashTime(pipe, tag: tag, activity, now: stack.now)
            guard let message else { return }
            pipe.enqueue(message, tag: tag, isBusy: stack.now < busyUntil)
        } catch {
            guard let message = error.message else { return losePower(&stack) }
            pipe.transfer = .none
            spendFlashTime(pipe, tag: tag, activity, now: stack.now)
            pipe.enqueue(
                pipe.session.refuse(message), tag: tag, isBusy: stack.now < busyUntil)
        }
    }
}

// MARK: - Writing

extension BargeDevice {
    private func openWrite(_ request: WriteRequest, _ pipe: Pipe) throws(DeviceRefusal) -> Message {
        try requireFree(request.object, for: pipe)
        let opening = try storage.openWrite(request)
        let check =
            opening.isComplete
            ? 0 : try storage.writtenCheck(request.object, upTo: opening.offset)
        if !opening.isComplete {
            let windowBits = pipe.session.terms?.receivingWindowBits
            let unframer = BlockUnframer(windowBits: windowBits)
            if let windowBits {
                let history = try storage.writtenHistory(
                    request.object, before: opening.offset, maximumBytes: 1 << Int(windowBits))
                history.withUnsafeBytes { unframer.restart(history: $0) }
            }
            pipe.transfer = .writing(DeviceWriting(request, unframer: unframer))
        }
        return pipe.session.writeOpened(
            offset: UInt64(opening.offset), prefixCheck: check, isComplete: opening.isComplete)
    }

    /// Storage takes one writer at a time: a second one is told so rather than let in.
    private func requireFree(
        _ object: ObjectReference, for pipe: Pipe
    ) throws(DeviceRefusal) {
        for other in pipes.values where other !== pipe {
            guard case .writing(let writing) = other.transfer,
                writing.request.object.kind == object.kind, object.kind != .sink
            else { continue }
            let text = Name("another connection is writing; wait until it is done")
            throw DeviceRefusal(ErrorMessage(.busy, text: text))
        }
    }

    private func store(
        _ header: BlockHeader, _ body: [UInt8], _ pipe: Pipe, now: LinkInstant
    ) throws(DeviceRefusal) -> Message? {
        guard case .writing(let writing) = pipe.transfer else {
            preconditionFailure("a block without a write")
        }
        writing.blockArrived(at: now)
        let raw: [UInt8]
        do {
            raw = try body.span.bytes.withUnsafeBytes { (bytes) throws(BlockInflater.BadBlock) in
                let coded = UnsafeRawBufferPointer(
                    rebasing: bytes[(bytes.count - header.codedBytes)...])
                return try writing.unframer.unframe(header, coded: coded)
            }
        } catch {
            throw DeviceRefusal(ErrorMessage(.badBlock))
        }
        try storage.store(raw, at: Int(header.offset), of: writing.request.object)
        return pipe.session.blockStored()
    }

    private func commit(_ pipe: Pipe, now: LinkInstant) throws(DeviceRefusal) -> Message {
        guard case .writing(let writing) = pipe.transfer else {
            preconditionFailure("a commit without a write")
        }
        let digest = try storage.finishWrite(writing.request)
        noteWritten(writing.request, at: now)
        pipe.transfer = .none
        return pipe.session.committed(
            Committed(digest: digest, microseconds: writing.microseconds))
    }
}

// MARK: - Reading

extension BargeDevice {
    private func openRead(_ request: ReadRequest, _ pipe: Pipe) throws(DeviceRefusal) -> Message {
        let reading = try DeviceReading(request, in: storage)
        guard request.offset <= UInt64(reading.size), let offset = Int(exactly: request.offset)
        else { return pipe.session.readOpened(size: UInt64(reading.size), prefixCheck: 0) }
        let check = try reading.prefixCheck(upTo: offset)
        let windowBits = pipe.session.terms?.sendingWindowBits
        let framer = BlockFramer(windowBits: windowBits, level: 6)
        if let windowBits {
            let history = try reading.history(before: offset, maximumBytes: 1 << Int(windowBits))
            history.withUnsafeBytes { framer.restart(history: $0) }
        }
        pipe.transfer = .reading(reading, framer)
        return pipe.session.readOpened(size: UInt64(reading.size), prefixCheck: check)
    }

    /// Makes the next block of an open read, or its end.
    private func makeBlock(_ pipe: Pipe, _ stack: inout some PeripheralStack) -> Bool {
        guard case .reading(let reading, let framer) = pipe.transfer else { return false }
        let tag = pipe.session.openTag
        switch pipe.session.nextBlock() {
        case .none: return false
        case .send(let offset, let rawBytes):
            answer(pipe, tag, &stack, activity: .reading) { () throws(DeviceRefusal) in
                let raw = try reading.read(at: Int(offset), count: rawBytes)
                pipe.outgoing.append { output in
                    raw.withUnsafeBytes {
                        framer.frame($0, offset: offset, tag: tag, into: &output)
                    }
                }
                return nil
            }
        case .end:
            pipe.transfer = .none
            pipe.enqueue(
                pipe.session.readEnded(digest: reading.value), tag: tag, isBusy: false)
        }
        return true
    }
}

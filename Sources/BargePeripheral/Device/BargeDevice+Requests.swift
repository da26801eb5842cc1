import BargeCoding
import BargeProtocol
import Bluetooth

/// Requests that are answered from what is there: names, slots, ECHO, RESET.
extension BargeDevice {
    func answer(
        _ request: Message, body: [UInt8], tag: UInt8, _ pipe: Pipe,
        _ stack: inout some PeripheralStack
    ) {
        switch request {
        case .list(let after):
            answer(pipe, tag, &stack) { () throws(DeviceRefusal) in
                try self.list(after: after, tag: tag, pipe)
            }
        case .stat(let object):
            answer(pipe, tag, &stack) { () throws(DeviceRefusal) in
                pipe.session.answered(with: .stated(try self.status(of: object)))
            }
        case .remove(let object):
            answer(pipe, tag, &stack) { () throws(DeviceRefusal) in
                try self.remove(object)
                return pipe.session.answered(with: .removed)
            }
        case .images:
            answer(pipe, tag, &stack) { () throws(DeviceRefusal) in
                pipe.session.answered(with: .imageStates(try self.imageStates()))
            }
        case .test(let digest):
            answer(pipe, tag, &stack) { [now = stack.now] () throws(DeviceRefusal) in
                try self.mark(forTest: digest, at: now)
                return pipe.session.answered(with: .imageStates(try self.imageStates()))
            }
        case .confirm(let digest):
            answer(pipe, tag, &stack) { [now = stack.now] () throws(DeviceRefusal) in
                try self.confirm(digest)
                self.note("confirmed \(ContentDigest(digest))", at: now)
                return pipe.session.answered(with: .imageStates(try self.imageStates()))
            }
        case .reset:
            guard storage.slots != nil else {
                let refusal = pipe.session.refuse(ErrorMessage(.notSupported))
                return pipe.enqueue(refusal, tag: tag, isBusy: false)
            }
            reset(tag: tag, pipe, &stack)
        case .echo(let byteCount): echo(byteCount, body: body, tag: tag, pipe)
        case .hello, .error, .fin, .busy, .echoed, .write, .writeReady, .commit, .committed,
            .read, .readReady, .readEnd, .acknowledge, .cancel, .canceled, .block, .entry,
            .listed, .stated, .removed, .imageStates, .resetting:
            preconditionFailure("the session hands over requests only")
        }
    }

    private func list(after: Name, tag: UInt8, _ pipe: Pipe) throws(DeviceRefusal) -> Message {
        let limit = ProtocolLimits.entriesPerList
        let entries = try storage.names(after: after.bytes, limit: limit + 1)
        for entry in entries.prefix(limit) {
            let message = FileEntry(
                size: UInt64(entry.size),
                modifiedSeconds: UInt64(max(0, entry.modificationSeconds ?? 0)),
                name: Name(utf8: entry.name.text, maximumBytes: ProtocolLimits.nameBytes))
            pipe.enqueue(.entry(message), tag: tag, isBusy: false)
        }
        return pipe.session.answered(with: .listed(more: entries.count > limit))
    }

    private func status(of object: ObjectReference) throws(DeviceRefusal)
        -> FileStatus
    {
        let name = try requireFile(object)
        let summary = try storage.withFiles { (files) throws(StorageError) in
            try files.stat(name)
        }
        return FileStatus(
            size: UInt64(summary.size),
            modifiedSeconds: UInt64(max(0, summary.modificationSeconds ?? 0)),
            digest: summary.sha256.wire)
    }

    private func remove(_ object: ObjectReference) throws(DeviceRefusal) {
        let name = try requireFile(object)
        try storage.withFiles { (files) throws(StorageError) in try files.remove(name) }
    }

    private func requireFile(_ object: ObjectReference) throws(DeviceRefusal) -> FileName {
        guard object.kind == .file else { throw DeviceRefusal(ErrorMessage(.notSupported)) }
        return try storage.fileName(object)
    }

    /// What runs needs no test (BTP-091), unless the other slot holds the same anew.
    private func mark(forTest digest: Digest, at now: LinkInstant) throws(DeviceRefusal) {
        let wanted = ContentDigest(digest)
        let states = try storage.withSlots { (slots) throws(StorageError) in try slots.slots() }
        let holders = states.filter { $0.image?.sha256 == wanted }
        guard !holders.contains(where: \.isActive) || holders.count > 1 else { return }
        try storage.withSlots { (slots) throws(StorageError) in try slots.markForTest(wanted) }
        note("the next boot tries \(wanted)", at: now)
    }

    private func running() throws(DeviceRefusal) -> ContentDigest? {
        let states = try storage.withSlots { (slots) throws(StorageError) in try slots.slots() }
        return states.first(where: \.isActive)?.image?.sha256
    }

    private func confirm(_ digest: Digest) throws(DeviceRefusal) {
        guard try running() == ContentDigest(digest) else {
            throw DeviceRefusal(ErrorMessage(.wrongImage))
        }
        try storage.withSlots { (slots) throws(StorageError) in try slots.confirm() }
    }

    private func imageStates() throws(DeviceRefusal) -> ImageSlots {
        let states = try storage.withSlots { (slots) throws(StorageError) in try slots.slots() }
        var message = ImageSlots()
        for state in states.prefix(ProtocolLimits.slotCount) { message.append(ImageSlot(state)) }
        return message
    }

    /// The answer must be on the air before the link goes: two intervals are enough for that.
    private func reset(tag: UInt8, _ pipe: Pipe, _ stack: inout some PeripheralStack) {
        let milliseconds = UInt32(clamping: profile.resetMicroseconds / 1000)
        pipe.enqueue(
            pipe.session.answered(with: .resetting(milliseconds: milliseconds)), tag: tag,
            isBusy: false)
        let connection = pipe.carrier.connection
        let interval = stack.parameters(of: connection).connectionIntervalMicroseconds ?? 50_000
        pendingReset = PendingReset(
            connection: connection,
            instant: stack.now.advanced(microseconds: UInt64(2 * interval) + 100_000))
        scheduleWake(&stack, now: stack.now)
    }

    private func echo(_ byteCount: Int, body: [UInt8], tag: UInt8, _ pipe: Pipe) {
        let bytes = Array(body.prefix(byteCount))
        let message = pipe.session.answered(with: .echoed(byteCount: bytes.count))
        pipe.outgoing.append { message.encode(tag: tag, payload: bytes.span.bytes, into: &$0) }
    }
}

extension ImageSlot {
    /// A slot's state as the protocol has it.
    init(_ state: SlotState) {
        var flags: Flags = []
        if state.isActive { flags.insert(.running) }
        if state.isConfirmed, state.isVerified { flags.insert(.confirmed) }
        if state.isPending { flags.insert(.pendingTest) }
        if state.isVerified { flags.insert(.verified) }
        if state.partial != nil { flags.insert(.partial) }
        let image = state.image ?? state.partial?.image
        self.init(
            index: state.slot.rawValue, flags: flags, length: UInt64(image?.length ?? 0),
            durable: UInt64(state.partial?.durableOffset ?? state.image?.length ?? 0),
            digest: image?.sha256.wire ?? Digest())
    }
}

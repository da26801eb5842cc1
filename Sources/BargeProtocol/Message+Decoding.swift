extension Message {
    /// What a frame says; nil where its type is unknown and may be skipped (BTP-032).
    ///
    /// Of a block and of ECHO the bytes stay in `body`: the last `codedBytes` of it, or all.
    ///
    /// The groups are not inlined: each needs a kilobyte or two of stack, and one at a time will do.
    public static func decode(type: UInt8, body: RawSpan) throws(ProtocolFault) -> Message? {
        guard let known = FrameType(rawValue: type) else {
            guard type >= FrameType.firstOptional else { throw .unknownFrame(type: type) }
            return nil
        }
        switch known {
        case .hello, .error, .fin, .busy, .echo, .echoed: return try decodeSession(known, body)
        case .write, .writeReady, .commit, .committed, .read, .readReady, .readEnd,
            .acknowledge, .cancel, .canceled, .storedBlock, .deflatedBlock:
            return try decodeTransfer(known, body)
        case .list, .entry, .listed, .stat, .stated, .remove, .removed:
            return try decodeFiles(known, body)
        case .images, .imageStates, .test, .confirm, .reset, .resetting:
            return try decodeFirmware(known, body)
        }
    }

    @inline(never)
    private static func decodeSession(_ type: FrameType, _ body: RawSpan)
        throws(ProtocolFault) -> Message?
    {
        switch type {
        case .hello: return try .hello(Hello(body: body))
        case .error: return try .error(ErrorMessage(body: body))
        case .fin: return .fin
        case .busy: return try .busy(BusyReport(body: body))
        case .echo: return .echo(byteCount: body.byteCount)
        case .echoed: return .echoed(byteCount: body.byteCount)
        case .write, .writeReady, .commit, .committed, .read, .readReady, .readEnd, .acknowledge,
            .cancel, .canceled, .storedBlock, .deflatedBlock, .list, .entry, .listed, .stat,
            .stated, .remove, .removed, .images, .imageStates, .test, .confirm, .reset,
            .resetting:
            return nil
        }
    }

    @inline(never)
    private static func decodeTransfer(_ type: FrameType, _ body: RawSpan)
        throws(ProtocolFault) -> Message?
    {
        var reader = BodyReader()
        switch type {
        case .write: return try .write(WriteRequest(body: body))
        case .writeReady:
            let isComplete = try reader.flag(body)
            return try .writeReady(
                WriteReady(
                    isComplete: isComplete, offset: reader.u64(body),
                    prefixCheck: reader.u32(body)))
        case .commit: return .commit
        case .committed:
            return try .committed(
                Committed(digest: reader.digest(body), microseconds: reader.u64(body)))
        case .read:
            let object = try ObjectReference(body, &reader)
            return try .read(
                ReadRequest(
                    object: object, offset: reader.u64(body), length: reader.u64(body)))
        case .readReady:
            return try .readReady(
                ReadReady(
                    size: reader.u64(body), offset: reader.u64(body),
                    prefixCheck: reader.u32(body)))
        case .readEnd:
            return try .readEnd(ReadEnd(end: reader.u64(body), digest: reader.digest(body)))
        case .acknowledge: return try .acknowledge(offset: reader.u64(body))
        case .cancel: return .cancel
        case .canceled: return .canceled
        case .storedBlock: return try .block(BlockHeader(.stored, body: body))
        case .deflatedBlock: return try .block(BlockHeader(.deflated, body: body))
        case .hello, .error, .fin, .busy, .echo, .echoed, .list, .entry, .listed, .stat, .stated,
            .remove, .removed, .images, .imageStates, .test, .confirm, .reset, .resetting:
            return nil
        }
    }

    @inline(never)
    private static func decodeFiles(_ type: FrameType, _ body: RawSpan)
        throws(ProtocolFault) -> Message?
    {
        var reader = BodyReader()
        switch type {
        case .list: return try .list(after: reader.name(body))
        case .entry: return try .entry(FileEntry(body: body))
        case .listed: return try .listed(more: reader.flag(body))
        case .stat, .remove:
            let object = try ObjectReference(body, &reader)
            return type == .stat ? .stat(object) : .remove(object)
        case .stated:
            return try .stated(
                FileStatus(
                    size: reader.u64(body), modifiedSeconds: reader.u64(body),
                    digest: reader.digest(body)))
        case .removed: return .removed
        case .hello, .error, .fin, .busy, .echo, .echoed, .write, .writeReady, .commit,
            .committed, .read, .readReady, .readEnd, .acknowledge, .cancel, .canceled,
            .storedBlock, .deflatedBlock, .images, .imageStates, .test, .confirm, .reset,
            .resetting:
            return nil
        }
    }

    @inline(never)
    private static func decodeFirmware(_ type: FrameType, _ body: RawSpan)
        throws(ProtocolFault) -> Message?
    {
        var reader = BodyReader()
        switch type {
        case .images: return .images
        case .imageStates: return try .imageStates(ImageSlots(body: body))
        case .test: return try .test(reader.digest(body))
        case .confirm: return try .confirm(reader.digest(body))
        case .reset: return .reset
        case .resetting: return try .resetting(milliseconds: reader.u32(body))
        case .hello, .error, .fin, .busy, .echo, .echoed, .write, .writeReady, .commit,
            .committed, .read, .readReady, .readEnd, .acknowledge, .cancel, .canceled,
            .storedBlock, .deflatedBlock, .list, .entry, .listed, .stat, .stated, .remove,
            .removed:
            return nil
        }
    }
}

extension BodyReader {
    /// 0 or 1; nothing else is drawn.
    mutating func flag(_ body: RawSpan) throws(ProtocolFault) -> Bool {
        switch try u8(body) {
        case 0: return false
        case 1: return true
        default: throw .malformed
        }
    }
}

extension ObjectReference {
    init(_ body: RawSpan, _ reader: inout BodyReader) throws(ProtocolFault) {
        guard let kind = try Kind(rawValue: reader.u8(body)) else { throw .malformed }
        let number = try reader.u8(body)
        self.init(kind: kind, number: number, name: try reader.name(body))
    }
}

extension WriteRequest {
    init(body: RawSpan) throws(ProtocolFault) {
        var reader = BodyReader()
        object = try ObjectReference(body, &reader)
        length = try reader.u64(body)
        digest = try reader.digest(body)
        restart = try reader.u8(body) & 1 != 0
    }
}

extension BlockHeader {
    init(_ coding: Coding, body: RawSpan) throws(ProtocolFault) {
        var reader = BodyReader()
        self.coding = coding
        offset = try reader.u48(body)
        rawBytes = try Int(reader.u16(body))
        codedBytes = body.byteCount - reader.offset
    }
}

extension BusyReport {
    init(body: RawSpan) throws(ProtocolFault) {
        var reader = BodyReader()
        guard let activity = try Activity(rawValue: reader.u8(body)) else { throw .malformed }
        self.activity = activity
        done = try reader.u64(body)
        total = try reader.u64(body)
    }
}

extension FileEntry {
    init(body: RawSpan) throws(ProtocolFault) {
        var reader = BodyReader()
        size = try reader.u64(body)
        modifiedSeconds = try reader.u64(body)
        _ = try reader.u8(body)
        name = try reader.name(body)
    }
}

extension ErrorMessage {
    init(body: RawSpan) throws(ProtocolFault) {
        var reader = BodyReader()
        guard let scope = try Scope(rawValue: reader.u8(body)) else { throw .malformed }
        let code = try reader.u16(body)
        guard let advice = try Advice(rawValue: reader.u8(body)) else { throw .malformed }
        let detail = try reader.u64(body)
        let text = try reader.name(body)
        guard text.byteCount <= ProtocolLimits.errorTextBytes else { throw .malformed }
        self.init(scope: scope, rawCode: code, advice: advice, detail: detail, text: text)
    }
}

extension ImageSlots {
    init(body: RawSpan) throws(ProtocolFault) {
        self.init()
        var reader = BodyReader()
        let count = try Int(reader.u8(body))
        guard count <= ProtocolLimits.slotCount else { throw .malformed }
        for _ in 0..<count {
            try append(
                ImageSlot(
                    index: reader.u8(body), flags: .init(rawValue: reader.u8(body)),
                    length: reader.u64(body), durable: reader.u64(body),
                    digest: reader.digest(body)))
        }
    }
}

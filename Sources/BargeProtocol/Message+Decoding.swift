extension Message {
    /// What a frame says; nil where its type is unknown and may be skipped (BTP-032).
    ///
    /// Of a block and of ECHO the bytes stay in `body`: the last `codedBytes` of it, or all.
    public static func decode(type: UInt8, body: RawSpan) throws(ProtocolFault) -> Message? {
        var message = Message.fin
        return try message.read(type: type, body: body) ? message : nil
    }

    /// Becomes what a frame says; false where its type is unknown and may be skipped.
    ///
    /// The same as ``decode(type:body:)`` for a device that is short of stack: a message has some
    /// 300 bytes, and here it has them once. For the same reason the groups below are not inlined.
    public mutating func read(type: UInt8, body: RawSpan) throws(ProtocolFault) -> Bool {
        guard let known = FrameType(rawValue: type) else {
            guard type >= FrameType.firstOptional else { throw .unknownFrame(type: type) }
            return false
        }
        switch known {
        case .fin: self = .fin
        case .commit: self = .commit
        case .cancel: self = .cancel
        case .canceled: self = .canceled
        case .removed: self = .removed
        case .images: self = .images
        case .reset: self = .reset
        case .echo: self = .echo(byteCount: body.byteCount)
        case .echoed: self = .echoed(byteCount: body.byteCount)
        case .storedBlock: self = try .block(BlockHeader(.stored, body: body))
        case .deflatedBlock: self = try .block(BlockHeader(.deflated, body: body))
        case .hello: try readHello(body)
        case .error: try readError(body)
        case .imageStates: try readSlots(body)
        case .write: try readWrite(body)
        case .read: try readRead(body)
        case .stat, .remove: try readObject(known, body)
        case .list: try readList(body)
        case .entry: try readEntry(body)
        case .busy, .writeReady, .committed, .readReady, .readEnd, .acknowledge, .listed, .stated,
            .test, .confirm, .resetting:
            try readNumbers(known, body)
        }
        return true
    }

    @inline(never)
    private mutating func readHello(_ body: RawSpan) throws(ProtocolFault) {
        self = try .hello(Hello(body: body))
    }

    @inline(never)
    private mutating func readError(_ body: RawSpan) throws(ProtocolFault) {
        self = try .error(ErrorMessage(body: body))
    }

    @inline(never)
    private mutating func readSlots(_ body: RawSpan) throws(ProtocolFault) {
        self = try .imageStates(ImageSlots(body: body))
    }

    @inline(never)
    private mutating func readWrite(_ body: RawSpan) throws(ProtocolFault) {
        self = try .write(WriteRequest(body: body))
    }

    @inline(never)
    private mutating func readRead(_ body: RawSpan) throws(ProtocolFault) {
        self = try .read(ReadRequest(body: body))
    }

    @inline(never)
    private mutating func readObject(_ type: FrameType, _ body: RawSpan) throws(ProtocolFault) {
        var reader = BodyReader()
        let object = try ObjectReference(body, &reader)
        self = type == .stat ? .stat(object) : .remove(object)
    }

    @inline(never)
    private mutating func readList(_ body: RawSpan) throws(ProtocolFault) {
        var reader = BodyReader()
        self = try .list(after: reader.name(body))
    }

    @inline(never)
    private mutating func readEntry(_ body: RawSpan) throws(ProtocolFault) {
        self = try .entry(FileEntry(body: body))
    }

    /// The messages that hold nothing but numbers and digests.
    @inline(never)
    private mutating func readNumbers(_ type: FrameType, _ body: RawSpan) throws(ProtocolFault) {
        var reader = BodyReader()
        switch type {
        case .busy: self = try .busy(BusyReport(body: body))
        case .writeReady:
            let isComplete = try reader.flag(body)
            self = try .writeReady(
                WriteReady(
                    isComplete: isComplete, offset: reader.u64(body),
                    prefixCheck: reader.u32(body)))
        case .committed:
            self = try .committed(
                Committed(digest: reader.digest(body), microseconds: reader.u64(body)))
        case .readReady:
            self = try .readReady(
                ReadReady(
                    size: reader.u64(body), offset: reader.u64(body),
                    prefixCheck: reader.u32(body)))
        case .readEnd:
            self = try .readEnd(ReadEnd(end: reader.u64(body), digest: reader.digest(body)))
        case .acknowledge: self = try .acknowledge(offset: reader.u64(body))
        case .listed: self = try .listed(more: reader.flag(body))
        case .stated:
            self = try .stated(
                FileStatus(
                    size: reader.u64(body), modifiedSeconds: reader.u64(body),
                    digest: reader.digest(body)))
        case .test: self = try .test(reader.digest(body))
        case .confirm: self = try .confirm(reader.digest(body))
        case .resetting: self = try .resetting(milliseconds: reader.u32(body))
        case .hello, .error, .fin, .echo, .echoed, .write, .commit, .read, .cancel, .canceled,
            .storedBlock, .deflatedBlock, .list, .entry, .stat, .remove, .removed, .images,
            .imageStates, .reset:
            preconditionFailure("read above")
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

extension ReadRequest {
    init(body: RawSpan) throws(ProtocolFault) {
        var reader = BodyReader()
        object = try ObjectReference(body, &reader)
        offset = try reader.u64(body)
        length = try reader.u64(body)
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

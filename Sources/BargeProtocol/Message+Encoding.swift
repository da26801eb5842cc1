extension Message {
    /// The body's length in bytes; for blocks and ECHO with the bytes beside it.
    public var bodyBytes: Int {
        switch self {
        case .hello(let hello): hello.bodyLength
        case .error(let error): 13 + error.text.byteCount
        case .busy: 17
        case .echo(let byteCount), .echoed(let byteCount): byteCount
        case .write(let request): 3 + request.object.name.byteCount + 8 + Digest.byteCount + 1
        case .writeReady: 13
        case .committed: Digest.byteCount + 8
        case .read(let request): 3 + request.object.name.byteCount + 16
        case .readReady: 20
        case .readEnd: 8 + Digest.byteCount
        case .acknowledge: 8
        case .block(let header): ProtocolLimits.blockHeaderBytes + header.codedBytes
        case .list(let after): 1 + after.byteCount
        case .entry(let entry): 18 + entry.name.byteCount
        case .listed: 1
        case .stat(let object), .remove(let object): 3 + object.name.byteCount
        case .stated: 16 + Digest.byteCount
        case .imageStates(let slots): 1 + slots.count * ImageSlots.slotBytes
        case .test, .confirm: Digest.byteCount
        case .resetting: 4
        case .fin, .commit, .cancel, .canceled, .removed, .images, .reset: 0
        }
    }

    /// How many bytes the frame takes on the pipe.
    public var frameBytes: Int {
        ProtocolLimits.headerBytes + bodyBytes + ProtocolLimits.checkBytes
    }

    /// Appends the whole frame. `payload` is a block's or an ECHO's bytes, else empty.
    public func encode(tag: UInt8, payload: RawSpan, into sink: inout some ByteSink) {
        var writer = FrameWriter(
            type: type.rawValue, tag: tag, bodyBytes: bodyBytes, into: &sink)
        putBody(&writer, into: &sink)
        writer.put(payload, into: &sink)
        writer.finish(into: &sink)
    }

    /// Appends the whole frame of a message that carries no bytes beside it.
    public func encode(tag: UInt8, into sink: inout some ByteSink) {
        var writer = FrameWriter(
            type: type.rawValue, tag: tag, bodyBytes: bodyBytes, into: &sink)
        putBody(&writer, into: &sink)
        writer.finish(into: &sink)
    }

    private func putBody(_ writer: inout FrameWriter, into sink: inout some ByteSink) {
        switch self {
        case .hello(let hello): hello.putBody(&writer, into: &sink)
        case .error(let error): error.putBody(&writer, into: &sink)
        case .busy(let report):
            writer.put(report.activity.rawValue, into: &sink)
            writer.put(report.done, into: &sink)
            writer.put(report.total, into: &sink)
        case .write(let request): request.putBody(&writer, into: &sink)
        case .writeReady(let ready):
            writer.put(UInt8(ready.isComplete ? 1 : 0), into: &sink)
            writer.put(ready.offset, into: &sink)
            writer.put(ready.prefixCheck, into: &sink)
        case .committed(let committed):
            writer.put(committed.digest, into: &sink)
            writer.put(committed.microseconds, into: &sink)
        case .read(let request):
            request.object.put(&writer, into: &sink)
            writer.put(request.offset, into: &sink)
            writer.put(request.length, into: &sink)
        case .readReady(let ready):
            writer.put(ready.size, into: &sink)
            writer.put(ready.offset, into: &sink)
            writer.put(ready.prefixCheck, into: &sink)
        case .readEnd(let end):
            writer.put(end.end, into: &sink)
            writer.put(end.digest, into: &sink)
        case .acknowledge(let offset): writer.put(offset, into: &sink)
        case .block(let header):
            writer.put(header.offset, bytes: 6, into: &sink)
            writer.put(UInt16(header.rawBytes), into: &sink)
        case .list(let after): writer.put(after, into: &sink)
        case .entry(let entry): entry.putBody(&writer, into: &sink)
        case .listed(let more): writer.put(UInt8(more ? 1 : 0), into: &sink)
        case .stat(let object), .remove(let object): object.put(&writer, into: &sink)
        case .stated(let status):
            writer.put(status.size, into: &sink)
            writer.put(status.modifiedSeconds, into: &sink)
            writer.put(status.digest, into: &sink)
        case .imageStates(let slots): slots.putBody(&writer, into: &sink)
        case .test(let digest), .confirm(let digest): writer.put(digest, into: &sink)
        case .resetting(let milliseconds): writer.put(milliseconds, into: &sink)
        case .fin, .commit, .cancel, .canceled, .removed, .images, .reset, .echo, .echoed: break
        }
    }
}

extension ObjectReference {
    func put(_ writer: inout FrameWriter, into sink: inout some ByteSink) {
        writer.put(kind.rawValue, into: &sink)
        writer.put(number, into: &sink)
        writer.put(name, into: &sink)
    }
}

extension WriteRequest {
    func putBody(_ writer: inout FrameWriter, into sink: inout some ByteSink) {
        object.put(&writer, into: &sink)
        writer.put(length, into: &sink)
        writer.put(digest, into: &sink)
        writer.put(UInt8(restart ? 1 : 0), into: &sink)
    }
}

extension FileEntry {
    func putBody(_ writer: inout FrameWriter, into sink: inout some ByteSink) {
        writer.put(size, into: &sink)
        writer.put(modifiedSeconds, into: &sink)
        writer.put(UInt8(0), into: &sink)
        writer.put(name, into: &sink)
    }
}

extension ErrorMessage {
    func putBody(_ writer: inout FrameWriter, into sink: inout some ByteSink) {
        writer.put(scope.rawValue, into: &sink)
        writer.put(rawCode, into: &sink)
        writer.put(advice.rawValue, into: &sink)
        writer.put(detail, into: &sink)
        writer.put(text, into: &sink)
    }
}

extension ImageSlots {
    /// One slot on the wire.
    static let slotBytes = 18 + Digest.byteCount

    func putBody(_ writer: inout FrameWriter, into sink: inout some ByteSink) {
        writer.put(UInt8(count), into: &sink)
        for position in 0..<count {
            let slot = self[position]
            writer.put(slot.index, into: &sink)
            writer.put(slot.flags.rawValue, into: &sink)
            writer.put(slot.length, into: &sink)
            writer.put(slot.durable, into: &sink)
            writer.put(slot.digest, into: &sink)
        }
    }
}

import BargeProtocol
import Testing

extension Hello {
    /// Terms that are small enough to count along: blocks of 256 bytes and a window of three.
    static func testing(
        blockBytes: UInt16 = 256, windowBytes: UInt32 = 768, windowBits: UInt8? = 10
    ) -> Hello {
        var hello = Hello()
        hello.bodyBytes = max(320, blockBytes + 8)
        hello.blockBytes = blockBytes
        hello.receiveWindowBytes = windowBytes
        hello.inflateWindowBits = windowBits
        hello.deflateWindowBits = windowBits
        hello.features = [.firmware, .files, .measurement]
        return hello
    }
}

extension ObjectReference {
    static func file(_ name: String) -> ObjectReference {
        ObjectReference(kind: .file, name: Name(text: name))
    }
}

extension Message {
    static func write(_ name: String = "a", length: UInt64) -> Message {
        .write(
            WriteRequest(
                object: .file(name), length: length, digest: Digest(repeating: 7), restart: false))
    }

    static func read(
        _ name: String = "a", offset: UInt64 = 0, length: UInt64 = ProtocolLimits.wholeLength
    ) -> Message {
        .read(ReadRequest(object: .file(name), offset: offset, length: length))
    }

    static func readReady(size: UInt64, offset: UInt64 = 0) -> Message {
        .readReady(ReadReady(size: size, offset: offset, prefixCheck: 0))
    }

    static func writeReady(offset: UInt64 = 0, isComplete: Bool = false) -> Message {
        .writeReady(WriteReady(isComplete: isComplete, offset: offset, prefixCheck: 0))
    }

    static func entry(_ name: String) -> Message {
        .entry(FileEntry(size: 1, modifiedSeconds: 0, name: Name(text: name)))
    }

    /// One request of each kind.
    static let everyRequest: [Message] = [
        .write(length: 1), .read(), .list(after: Name()), .stat(.file("a")), .remove(.file("a")),
        .images, .test(Digest()), .confirm(Digest()), .reset, .echo(byteCount: 4),
    ]

    /// One frame of each kind that only a device sends.
    static let everyAnswer: [Message] = [
        .busy(BusyReport(activity: .erasing, done: 0, total: 0)), .echoed(byteCount: 4),
        .writeReady(), .committed(Committed(digest: Digest(repeating: 7), microseconds: 0)),
        .readReady(size: 1), .readEnd(ReadEnd(end: 1, digest: Digest())), .canceled, .entry("a"),
        .listed(more: false), .stated(FileStatus(size: 1, modifiedSeconds: 0, digest: Digest())),
        .removed, .imageStates(ImageSlots()), .resetting(milliseconds: 1),
    ]

    /// One frame of each kind that belongs to a request that is open.
    static let everyFollower: [Message] = [
        .storedBlock(at: 0, 1), .acknowledge(offset: 0), .commit, .cancel,
    ]
}

extension DeviceSession {
    /// A device that has greeted, with a window of three blocks of 256 bytes.
    static func greeted(_ hello: Hello = .testing(), peer: Hello = .testing()) -> DeviceSession {
        var device = DeviceSession(hello: hello)
        #expect(device.handle(tag: 0, message: .hello(peer)) == .none)
        return device
    }

    /// A device that takes an object of this length.
    static func writing(
        length: UInt64, from offset: UInt64 = 0, hello: Hello = .testing()
    ) -> DeviceSession {
        var device = greeted(hello)
        _ = device.handle(tag: 1, message: .write(length: length))
        _ = device.writeOpened(offset: offset, prefixCheck: 0, isComplete: false)
        return device
    }

    /// A device that sends an object of this size.
    static func reading(size: UInt64, offset: UInt64 = 0, peer: Hello = .testing())
        -> DeviceSession
    {
        var device = greeted(peer: peer)
        _ = device.handle(tag: 1, message: .read(offset: offset))
        _ = device.readOpened(size: size, prefixCheck: 0)
        return device
    }

    /// True where this frame would end the session with this error.
    func fails(_ code: ErrorCode, tag: UInt8, on message: Message) -> Bool {
        var copy = self
        guard case .fail(let error) = copy.handle(tag: tag, message: message) else { return false }
        return error.code == code && error.scope == .session && copy.isOver
    }
}

extension HostSession {
    /// A host that has greeted, with a window of three blocks of 256 bytes.
    static func greeted(_ hello: Hello = .testing(), peer: Hello = .testing()) -> HostSession {
        var host = HostSession(hello: hello)
        #expect(host.handle(tag: 0, message: .hello(peer)) == .greeted(peer))
        return host
    }

    /// A host whose device takes an object of this length.
    static func writing(length: UInt64, from offset: UInt64 = 0) -> HostSession {
        var host = greeted()
        _ = host.begin(.write(length: length))
        _ = host.handle(tag: 1, message: .writeReady(offset: offset))
        return host
    }

    /// A host whose device sends an object of this size.
    static func reading(size: UInt64, offset: UInt64 = 0) -> HostSession {
        var host = greeted()
        _ = host.begin(.read(offset: offset))
        _ = host.handle(tag: 1, message: .readReady(size: size, offset: offset))
        return host
    }

    /// True where this frame would end the session as a fault of the device's.
    func isViolated(_ fault: ProtocolFault, tag: UInt8 = 1, by message: Message) -> Bool {
        var copy = self
        return copy.handle(tag: tag, message: message) == .violated(fault) && copy.isOver
    }
}

import BargeProtocol
import Testing

/// The smallest driver of a device's half: files in memory, and nothing durable but them.
struct TestDevice {
    var session: DeviceSession
    var files: [[UInt8]: [UInt8]] = [:]
    private var name: [UInt8] = []
    private var request: WriteRequest?
    private var content: [UInt8] = []
    /// What survives the end of a session: the bytes of an upload that is not committed.
    private(set) var progress: [UInt8] = []
    private var progressDigest = Digest()
    private var outbox: [[UInt8]] = []

    init(hello: Hello) { session = DeviceSession(hello: hello) }

    /// Frames to send, at most one block among them.
    mutating func takeOutbox() -> [[UInt8]] {
        if outbox.isEmpty { sendFromRead() }
        defer { outbox = [] }
        return outbox
    }

    mutating func fellIdle() { reply(session.fellIdle()) }

    /// Flips a bit of what an upload has left, as bad flash would.
    mutating func damageProgress() { progress[0] ^= 1 }

    mutating func greet() { outbox.append(session.greeting.frame(tag: 0)) }

    /// Begins a session anew; files and progress stay.
    mutating func reconnect() {
        session = DeviceSession(hello: session.hello)
        outbox = []
        greet()
    }

    private mutating func reply(_ message: Message?, payload: [UInt8] = []) {
        guard let message else { return }
        outbox.append(message.frame(tag: session.replyTag, payload: payload))
    }

    mutating func take(_ frame: ReadFrame, bytes: [UInt8]) {
        guard let message = frame.message else { return }
        switch session.handle(tag: frame.tag, message: message) {
        case .none: break
        case .openWrite(let request): open(request)
        case .store:
            content += bytes[12..<bytes.count - 4]
            progress = content
            reply(session.blockStored())
        case .commit: commit()
        case .openRead(let request):
            guard let found = files[request.object.name.bytes] else {
                return reply(session.refuse(ErrorMessage(.notFound)))
            }
            content = found
            let prefix = content.prefix(Int(request.offset))
            reply(
                session.readOpened(
                    size: UInt64(content.count),
                    prefixCheck: CRC32.value(of: Array(prefix).span.bytes)))
        case .answer(let message): answer(message, bytes: bytes)
        case .refuse(let tag, let error): outbox.append(Message.error(error).frame(tag: tag))
        case .cancel(let tag): outbox.append(Message.canceled.frame(tag: tag))
        case .abandon: break
        case .finish: outbox.append(Message.fin.frame(tag: 0))
        case .fail(let error): outbox.append(Message.error(error).frame(tag: 0))
        }
    }

    private mutating func open(_ request: WriteRequest) {
        self.request = request
        name = request.object.name.bytes
        if request.restart || progressDigest != request.digest { progress = [] }
        progressDigest = request.digest
        content = progress
        let isComplete = files[name].map { Digest(standInFor: $0) == request.digest } ?? false
        reply(
            session.writeOpened(
                offset: UInt64(content.count), prefixCheck: CRC32.value(of: content.span.bytes),
                isComplete: isComplete && !request.restart))
    }

    private mutating func commit() {
        progress = []
        let digest = Digest(standInFor: content)
        guard digest == request?.digest else {
            return reply(session.refuse(ErrorMessage(.digestMismatch)))
        }
        files[name] = content
        reply(session.committed(Committed(digest: digest, microseconds: 1)))
    }

    private mutating func sendFromRead() {
        switch session.nextBlock() {
        case .none: break
        case .send(let offset, let rawBytes):
            let bytes = Array(content[Int(offset)..<Int(offset) + rawBytes])
            reply(.storedBlock(at: offset, rawBytes), payload: bytes)
        case .end(let end):
            let digest = Digest(standInFor: Array(content[..<Int(end)]))
            reply(session.readEnded(digest: digest))
        }
    }

    private mutating func answer(_ message: Message, bytes: [UInt8]) {
        if case .echo(let byteCount) = message {
            let echoed = Message.echoed(byteCount: byteCount)
            return reply(session.answered(with: echoed), payload: Array(bytes[4...].dropLast(4)))
        }
        guard case .list(let after) = message else {
            return reply(session.refuse(ErrorMessage(.notSupported)))
        }
        let names = files.keys.filter { after.bytes.lexicographicallyPrecedes($0) }
            .sorted { $0.lexicographicallyPrecedes($1) }
        for name in names.prefix(32) {
            let size = UInt64(files[name]?.count ?? 0)
            reply(.entry(FileEntry(size: size, modifiedSeconds: 0, name: Name(bytes: name))))
        }
        reply(session.answered(with: .listed(more: names.count > 32)))
    }
}

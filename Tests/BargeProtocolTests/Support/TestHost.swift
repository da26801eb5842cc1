import BargeProtocol
import Testing

/// The smallest driver of a host's half: a list of jobs, done one after the other.
struct TestHost {
    enum Job: Equatable {
        case push(String, [UInt8])
        /// Reads a file behind what is there of it already.
        case pull(String, have: [UInt8])
        case list
        case echo([UInt8])
        case finish
    }

    enum Outcome: Equatable, CustomTestStringConvertible {
        case pushed(sentBytes: Int)
        case pulled([UInt8])
        case listed([String])
        case echoed([UInt8])
        case refused(ErrorCode)
        case finished

        var testDescription: String {
            switch self {
            case .pushed(let sentBytes): "pushed \(sentBytes)"
            case .pulled(let bytes): "pulled \(bytes.count)"
            case .listed(let names): "listed \(names.count)"
            case .echoed(let bytes): "echoed \(bytes.count)"
            case .refused(let code): "refused: \(code)"
            case .finished: "finished"
            }
        }
    }

    var session: HostSession
    private var jobs: [Job]
    private(set) var outcomes: [Outcome] = []
    private var content: [UInt8] = []
    private var sentBytes = 0
    private var names: [String] = []
    private var outbox: [[UInt8]] = []

    init(hello: Hello, jobs: [Job]) {
        session = HostSession(hello: hello)
        self.jobs = jobs
    }

    mutating func greet() { outbox.append(session.greeting.frame(tag: 0)) }

    mutating func takeOutbox() -> [[UInt8]] {
        if outbox.isEmpty { goOn() }
        defer { outbox = [] }
        return outbox
    }

    private mutating func send(_ message: Message?, payload: [UInt8] = []) {
        guard let message else { return }
        outbox.append(message.frame(tag: session.openTag, payload: payload))
    }

    private mutating func goOn() {
        if session.isIdle, let job = jobs.first { return begin(job) }
        if session.canCommit { return send(session.commit()) }
        guard let plan = session.nextBlock() else { return }
        let start = Int(plan.offset)
        let bytes = Array(content[start..<start + plan.rawBytes])
        sentBytes += plan.rawBytes
        send(.storedBlock(at: plan.offset, plan.rawBytes), payload: bytes)
    }

    private mutating func begin(_ job: Job) {
        sentBytes = 0
        switch job {
        case .push(let name, let bytes):
            content = bytes
            beginWrite(name, bytes, restart: false)
        case .pull(let name, let have):
            content = have
            send(session.begin(.read(name, offset: UInt64(have.count))))
        case .list: beginList(after: Name())
        case .echo(let bytes):
            send(session.begin(.echo(byteCount: bytes.count)), payload: bytes)
        case .finish: send(session.finish())
        }
    }

    private mutating func beginWrite(_ name: String, _ bytes: [UInt8], restart: Bool) {
        let request = WriteRequest(
            object: .file(name), length: UInt64(bytes.count), digest: Digest(standInFor: bytes),
            restart: restart)
        send(session.begin(.write(request)))
    }

    private mutating func beginList(after: Name) { send(session.begin(.list(after: after))) }

    private mutating func done(_ outcome: Outcome) {
        outcomes.append(outcome)
        jobs.removeFirst()
    }

    mutating func take(_ frame: ReadFrame, bytes: [UInt8]) {
        guard let message = frame.message else { return }
        switch session.handle(tag: frame.tag, message: message) {
        case .none, .greeted, .busy, .durable: break
        case .answered(let message): take(message, bytes: bytes)
        case .store(let header):
            content += bytes[12..<bytes.count - 4]
            send(session.stored(upTo: header.end))
        case .failed(let error): done(.refused(error.code ?? .malformed))
        case .finished: done(.finished)
        case .violated(let fault): Issue.record("the device broke the protocol: \(fault)")
        }
    }

    private mutating func take(_ answer: Message, bytes: [UInt8]) {
        if case .writeReady(let ready) = answer { return checkPrefix(ready) }
        if case .canceled = answer, case .push(let name, let bytes)? = jobs.first {
            return beginWrite(name, bytes, restart: true)
        }
        if case .committed = answer { return done(.pushed(sentBytes: sentBytes)) }
        if case .readEnd(let end) = answer {
            #expect(end.digest == Digest(standInFor: content))
            return done(.pulled(content))
        }
        if case .entry(let entry) = answer {
            names.append(String(decoding: entry.name.bytes, as: UTF8.self))
        }
        if case .listed(let more) = answer {
            if more, let last = names.last { return beginList(after: Name(text: last)) }
            done(.listed(names))
        }
        if case .echoed = answer { done(.echoed(Array(bytes[4...].dropLast(4)))) }
    }

    /// BTP-061: the host checks what the device holds against its own bytes.
    private mutating func checkPrefix(_ ready: WriteReady) {
        if ready.isComplete { return done(.pushed(sentBytes: 0)) }
        let prefix = Array(content[..<Int(ready.offset)])
        if CRC32.value(of: prefix.span.bytes) != ready.prefixCheck { send(session.cancel()) }
    }
}

import BargeProtocol
import Testing

/// Two machines back to back over a link that cuts their streams anywhere, and a referee between.
struct Pair<Link: TestLink> {
    var host: TestHost
    var device: TestDevice
    var link: Link
    private(set) var referee: Referee
    private var parsers: [End: FrameParser] = [.host: FrameParser(), .device: FrameParser()]
    private var random: SplitMix64

    init(
        _ link: Link, jobs: [TestHost.Job], host: Hello = .testing(), device: Hello = .testing(),
        files: [String: [UInt8]] = [:], seed: UInt64 = 1
    ) {
        self.link = link
        self.host = TestHost(hello: host, jobs: jobs)
        self.device = TestDevice(hello: device)
        for (name, content) in files { self.device.files[Array(name.utf8)] = content }
        referee = Referee(
            blockBytes: UInt64(min(host.blockBytes, device.blockBytes)),
            hostWindow: UInt64(host.receiveWindowBytes),
            deviceWindow: UInt64(device.receiveWindowBytes))
        random = SplitMix64(seed: seed)
        self.host.greet()
        self.device.greet()
    }

    /// Goes on until nothing moves any more.
    mutating func run() {
        for _ in 0..<1_000_000 where !step() { return }
        Issue.record("the two never come to rest")
    }

    /// Goes on for so many turns at most.
    mutating func run(steps: Int) {
        for _ in 0..<steps where !step() { return }
    }

    /// One turn: frames that are due go out, a piece moves along, whole frames are taken.
    private mutating func step() -> Bool {
        for frame in host.takeOutbox() { send(frame, from: .host) }
        for frame in device.takeOutbox() { send(frame, from: .device) }
        if link.move(using: &random) {
            for end in End.allCases { takeFrames(at: end) }
            return true
        }
        device.fellIdle()
        let frames = device.takeOutbox()
        for frame in frames { send(frame, from: .device) }
        return !frames.isEmpty
    }

    private mutating func send(_ frame: [UInt8], from end: End) {
        referee.saw(frame, from: end)
        link.send(frame, from: end)
    }

    private mutating func takeFrames(at end: End) {
        while true {
            let stream = link.arrived(at: end)
            guard let frame = read(stream, at: end) else { return }
            let bytes = Array(stream[..<frame.totalBytes])
            link.take(frame.totalBytes, at: end)
            switch end {
            case .host:
                host.take(frame, bytes: bytes)
                guard host.session.terms != nil else { continue }
                parsers[end]?.maximumBodyBytes = Int(host.session.hello.bodyBytes)
            case .device:
                device.take(frame, bytes: bytes)
                guard device.session.terms != nil else { continue }
                parsers[end]?.maximumBodyBytes = Int(device.session.hello.bodyBytes)
            }
        }
    }

    private func read(_ stream: [UInt8], at end: End) -> ReadFrame? {
        do throws(ProtocolFault) {
            return try ReadFrame(
                stream, maximumBodyBytes: parsers[end]?.maximumBodyBytes ?? 0)
        } catch {
            Issue.record("\(end) reads \(error)")
            return nil
        }
    }
}

import BargeProtocol
import Testing

/// The example of the module's landing page, which microcontrollers are to begin with.
@Suite("The device of the landing page")
struct DeviceLoopTests {
    /// Storage and pipe in memory.
    private struct MemoryPort: DevicePort {
        var room = 4096
        var held: [UInt8] = []
        var sent: [[UInt8]] = []
        var fails = false

        mutating func send(_ frame: RawSpan) {
            sent.append((0..<frame.byteCount).map { frame.byte(at: $0) })
        }

        mutating func open(_ request: WriteRequest) -> UInt64? {
            request.length <= UInt64(room) ? UInt64(held.count) : nil
        }

        mutating func check(below offset: UInt64) -> UInt32 {
            CRC32.value(of: held.span.bytes.extracting(0..<Int(offset)))
        }

        mutating func store(_ bytes: RawSpan, at offset: UInt64) -> Bool {
            guard !fails else { return false }
            held += (0..<bytes.byteCount).map { bytes.byte(at: $0) }
            return true
        }

        mutating func digest() -> Digest { Digest(standInFor: held) }
    }

    /// Runs a host's jobs against the loop, which gets its bytes `pieceBytes` at a time.
    private func run(
        _ jobs: [TestHost.Job], port: MemoryPort = MemoryPort(), pieceBytes: Int = 7
    ) -> ([TestHost.Outcome], MemoryPort) {
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 2 * 328, alignment: 8)
        defer { memory.deallocate() }
        var loop = DeviceLoop(
            hello: Hello(), port: port,
            inbox: UnsafeMutableRawBufferPointer(rebasing: memory[..<328]),
            outbox: UnsafeMutableRawBufferPointer(rebasing: memory[328...]))
        var host = TestHost(hello: Hello(), jobs: jobs)
        host.greet()
        loop.start()
        var isMoving = true
        while isMoving {
            let toDevice = host.takeOutbox().flatMap { $0 }
            for start in stride(from: 0, to: toDevice.count, by: pieceBytes) {
                let piece = Array(toDevice[start..<min(start + pieceBytes, toDevice.count)])
                loop.receive(piece.span.bytes)
            }
            let toHost = loop.port.sent
            loop.port.sent = []
            isMoving = !toDevice.isEmpty || !toHost.isEmpty
            for bytes in toHost {
                guard let frame = try? ReadFrame(bytes) else { continue }
                host.take(frame, bytes: bytes)
            }
        }
        return (host.outcomes, loop.port)
    }

    @Test("It takes an upload whole, whatever the pieces that its bytes come in (BTP-010)")
    func upload() {
        let content = (0..<1000).map { UInt8(truncatingIfNeeded: $0 * 7) }
        for pieceBytes in [1, 19, 243, 4096] {
            let (outcomes, port) = run([.push("a", content), .finish], pieceBytes: pieceBytes)
            #expect(outcomes == [.pushed(sentBytes: 1000), .finished])
            #expect(port.held == content)
        }
    }

    @Test("It goes on where it was, and starts no larger object than it has room for (BTP-069)")
    func resumeAndRefusal() {
        let content = [UInt8](repeating: 5, count: 700)
        let half = MemoryPort(room: 700, held: Array(content[..<300]))
        #expect(run([.push("a", content)], port: half).0 == [.pushed(sentBytes: 400)])
        let tight = MemoryPort(room: 699)
        #expect(run([.push("a", content)], port: tight).0 == [.refused(.noSpace)])
    }

    @Test("It says so where storage fails, and refuses what it does not have")
    func refusals() {
        let broken = MemoryPort(fails: true)
        let jobs: [TestHost.Job] = [.push("a", [1, 2, 3]), .pull("a", have: []), .list, .finish]
        let outcomes: [TestHost.Outcome] = [
            .refused(.storageFailure), .refused(.notSupported), .refused(.notSupported), .finished,
        ]
        #expect(run(jobs, port: broken).0 == outcomes)
    }

    @Test("It survives noise in any amount (BTP-102)")
    func noise() {
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 2 * 328, alignment: 8)
        defer { memory.deallocate() }
        var random = SplitMix64(seed: 9)
        for _ in 0..<2000 {
            var loop = DeviceLoop(
                hello: Hello(), port: MemoryPort(),
                inbox: UnsafeMutableRawBufferPointer(rebasing: memory[..<328]),
                outbox: UnsafeMutableRawBufferPointer(rebasing: memory[328...]))
            loop.start()
            if Bool.random(using: &random) {
                loop.receive(Message.hello(Hello()).frame(tag: 0).span.bytes)
            }
            loop.receive(random.bytes(400).span.bytes)
            #expect(loop.port.sent.count <= 2, "HELLO, and one error at most")
        }
    }

    @Test("The page shows the code that is compiled here, and nothing else")
    func page() throws {
        let listings = Documents.listings(
            of: "A device on a microcontroller", in: try Documents.article("BargeProtocol.md"))
        let source = try Documents.file("Tests/EmbeddedDevice/DeviceLoop.swift")
        #expect(listings.count == 1)
        for listing in listings {
            let text = listing.joined(separator: "\n")
            #expect(text.count > 1000 && source.contains(text))
        }
    }
}

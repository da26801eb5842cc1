import BargeProtocol
import Testing

/// The document's worked example, which a Python script computes, against the machines here.
@Suite("The protocol document's worked example")
struct WorkedExampleTests {
    private struct Listing {
        let title: String
        let bytes: [UInt8]
        var isFromHost: Bool { title.hasPrefix("host:") }
    }

    private let listings: [Listing]
    private let frames: [Listing]
    private let values: [Listing]

    init() throws {
        let sections = Documents.listings(
            of: "Worked example", in: try Documents.article("Protocol.md"))
        listings = sections.map { lines in
            let hex = lines.dropFirst().map { $0.prefix(while: { $0 != "|" }) }.joined()
            return Listing(title: lines.first ?? "", bytes: BargeProtocolTests.bytes(hex: hex))
        }
        frames = Array(listings.prefix(14))
        values = Array(listings.dropFirst(14))
    }

    private let digest = Digest(
        bytes: bytes(hex: "73cd1ad48a595c68fb4463b6b62581224e9f099c157107ac65d08772a4167d5e"))

    private var hostHello: Hello {
        var hello = Hello()
        hello.bodyBytes = 4104
        hello.blockBytes = 4096
        hello.inflateWindowBits = 15
        hello.deflateWindowBits = 15
        hello.receiveWindowBytes = 65_536
        hello.software = Name("barge")
        return hello
    }

    private var deviceHello: Hello {
        var hello = Hello()
        hello.inflateWindowBits = 10
        hello.receiveWindowBytes = 512
        hello.features = .files
        hello.serial = Name("S-0001")
        hello.bootID = 7
        return hello
    }

    /// What each frame says, typed from the document's comments.
    private var messages: [Message] {
        let file = ObjectReference(kind: .file, name: Name("cargo.txt"))
        let write = WriteRequest(object: file, length: 528, digest: digest, restart: false)
        return [
            .hello(hostHello), .hello(deviceHello), .write(write), .writeReady(),
            .deflatedBlock(at: 0, 256, coded: 62), .deflatedBlock(at: 256, 256, coded: 41),
            .acknowledge(offset: 256), .storedBlock(at: 512, 16), .acknowledge(offset: 512),
            .acknowledge(offset: 528), .commit,
            .committed(Committed(digest: digest, microseconds: 1500)), .fin, .fin,
        ]
    }

    /// A block's bytes, which travel beside its message.
    private func payload(of index: Int) -> [UInt8] {
        guard case .block = messages[index] else { return [] }
        return Array(frames[index].bytes[12...].dropLast(4))
    }

    @Test("The page has the frames and values that are looked at here")
    func isThere() {
        let titles = [
            "host: HELLO", "device: HELLO", "host: WRITE", "device: WRITE_READY",
            "host: BLOCK, deflated", "host: BLOCK, deflated", "device: ACK", "host: BLOCK, stored",
            "device: ACK", "device: ACK", "host: COMMIT", "device: COMMITTED", "host: FIN",
            "device: FIN",
        ]
        #expect(frames.map(\.title) == titles)
        #expect(values.count == 8)
    }

    @Test("Our decoder reads each frame as the page explains it")
    func decodes() throws {
        for (index, listing) in frames.enumerated() {
            let frame = try #require(try ReadFrame(listing.bytes))
            #expect(frame.message == messages[index], "\(listing.title)")
            #expect(frame.totalBytes == listing.bytes.count)
        }
    }

    @Test("Our encoder writes each frame byte for byte")
    func encodes() {
        for (index, listing) in frames.enumerated() {
            let tag = listing.bytes[1]
            let frame = messages[index].frame(tag: tag, payload: payload(of: index))
            #expect(frame == listing.bytes, "\(listing.title)")
        }
    }

    @Test("A device that hears the host's frames says the device's")
    func device() throws {
        var device = DeviceSession(hello: deviceHello)
        var said = [device.greeting.frame(tag: 0)]
        for listing in frames where listing.isFromHost {
            let frame = try #require(try ReadFrame(listing.bytes))
            let message = try #require(frame.message)
            var answer: Message?
            switch device.handle(tag: frame.tag, message: message) {
            case .openWrite:
                answer = device.writeOpened(offset: 0, prefixCheck: 0, isComplete: false)
            case .store: answer = device.blockStored()
            case .commit:
                answer = device.committed(Committed(digest: digest, microseconds: 1500))
            case .finish: said.append(Message.fin.frame(tag: 0))
            case .none, .openRead, .answer, .refuse, .cancel, .abandon, .fail: break
            }
            if let answer { said.append(answer.frame(tag: device.replyTag)) }
        }
        #expect(said == frames.filter { !$0.isFromHost }.map(\.bytes))
    }

    @Test("A host that hears the device's frames says the host's")
    func host() throws {
        var host = HostSession(hello: hostHello)
        var heard = frames.filter { !$0.isFromHost }.map(\.bytes)[...]
        var said: [[UInt8]] = [host.greeting.frame(tag: 0)]
        func hear() throws -> HostStep {
            let frame = try #require(try ReadFrame(heard.removeFirst()))
            return host.handle(tag: frame.tag, message: try #require(frame.message))
        }
        #expect(try hear() == .greeted(deviceHello))
        said.append(host.begin(messages[2]).frame(tag: host.openTag))
        _ = try hear()
        var blocks = [4, 5, 7][...]
        while !host.canCommit {
            while host.nextBlock() != nil, let index = blocks.popFirst() {
                said.append(messages[index].frame(tag: 1, payload: payload(of: index)))
            }
            guard case .durable = try hear() else { break }
        }
        said.append(host.commit().frame(tag: host.openTag))
        _ = try hear()
        said.append(host.finish().frame(tag: 0))
        #expect(try hear() == .finished)
        #expect(said == frames.filter(\.isFromHost).map(\.bytes))
    }

    @Test("Both halves of the GATT pipe say the page's values")
    func gatt() {
        var host = GATTPipe(role: .host, creditValues: 32)
        var device = GATTPipe(role: .device, creditValues: 4)
        host.open()
        var stream = frames[0].bytes[...]
        var isStalled = false
        for listing in values {
            var value: [UInt8] = []
            if let control = listing.isFromHost ? host.nextControl() : device.nextControl() {
                control.encode(into: &value)
            } else if host.canSendData, !stream.isEmpty {
                value = [host.nextDataHeader()] + stream.prefix(19)
                stream = stream.dropFirst(19)
            }
            #expect(value == listing.bytes, "\(listing.title)")
            if listing.isFromHost {
                if device.handle(value.span.bytes) == .data { device.consumed(values: 1) }
            } else {
                _ = host.handle(value.span.bytes)
            }
            if stream.isEmpty, !isStalled {
                host.stalled()
                isStalled = true
            }
        }
        #expect(stream.isEmpty)
    }
}

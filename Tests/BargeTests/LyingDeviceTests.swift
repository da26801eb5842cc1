import BargeCoding
import BargeProtocol
import Bluetooth
import BluetoothSimulation
import Synchronization
import Testing

@testable import Barge

@Suite("A device that lies costs its session, and nothing else")
struct LyingDeviceTests {
    private func host(
        _ answer: @escaping @Sendable (Message, UInt8) -> [UInt8]
    ) -> BargeHost<SimulatedCentral> {
        var hello = Hello()
        hello.deflateWindowBits = 9
        hello.features = [.files]
        hello.serial = Name("HAND-1")
        return BargeHost(central: HandPlayedDevice.radio(hello: hello, answer: answer).central)
    }

    private let device = DeviceReference.peer(HandPlayedDevice.peer)

    private static func ready(size: UInt64, offset: UInt64, _ tag: UInt8) -> [UInt8] {
        let prefix = Array(content.prefix(Int(offset)))
        let check = CRC32.value(of: prefix.span.bytes)
        return frame(
            .readReady(ReadReady(size: size, offset: offset, prefixCheck: check)), tag: tag)
    }

    private static let content = [UInt8](repeating: 7, count: 256) + Noise(seed: 5).bytes(256)

    private static func stored(_ offset: Int, _ tag: UInt8) -> [UInt8] {
        let header = BlockHeader(
            coding: .stored, offset: UInt64(offset), rawBytes: 256, codedBytes: 256)
        return frame(
            .block(header), tag: tag, payload: Array(content[offset..<offset + 256]))
    }

    private static func end(_ tag: UInt8) -> [UInt8] {
        let end = ReadEnd(end: 512, digest: SHA256.digest(of: content))
        return frame(.readEnd(end), tag: tag)
    }

    @Test("BTP-057: a block that does not inflate is canceled, and read again from what is held")
    func blockThatDoesNotInflate() async throws {
        let asked = Mutex<[UInt64]>([])
        let cancels = Mutex(0)
        let host = host { message, tag in
            switch message {
            case .read(let request):
                let isFirst = asked.withLock {
                    $0.append(request.offset)
                    return $0.count == 1
                }
                var bytes = Self.ready(size: 512, offset: request.offset, tag)
                guard isFirst else { return bytes + Self.stored(256, tag) + Self.end(tag) }
                let header = BlockHeader(
                    coding: .deflated, offset: 256, rawBytes: 256, codedBytes: 4)
                bytes += Self.stored(0, tag)
                bytes += frame(.block(header), tag: tag, payload: [0xFF, 0xFF, 0xFF, 0xFF])
                return bytes + Self.end(tag)
            case .cancel:
                cancels.withLock { $0 += 1 }
                return []
            default: return []
            }
        }
        let folder = try TemporaryFolder()
        let destination = try DownloadDestination(localPath: folder("got"), remoteName: "a")
        let summary = try await host.pull("a", from: device, to: destination)
        #expect(summary.result == .copied)
        #expect(folder.read("got") == Self.content)
        #expect(asked.withLock { $0 } == [0, 256])
        #expect(cancels.withLock { $0 } == 1)
    }

    @Test("A file that is first said to be empty, with a digest of its own, is read again")
    func emptyAndThenNot() async throws {
        let reads = Mutex(0)
        let host = host { message, tag in
            guard case .read = message else { return [] }
            let isFirst = reads.withLock {
                $0 += 1
                return $0 == 1
            }
            guard isFirst else {
                return Self.ready(size: 512, offset: 0, tag) + Self.stored(0, tag)
                    + Self.stored(256, tag) + Self.end(tag)
            }
            let end = ReadEnd(end: 0, digest: Digest())
            return Self.ready(size: 0, offset: 0, tag) + frame(.readEnd(end), tag: tag)
        }
        let folder = try TemporaryFolder()
        let destination = try DownloadDestination(localPath: folder("got"), remoteName: "a")
        let summary = try await host.pull("a", from: device, to: destination)
        #expect(summary.result == .copied)
        #expect(reads.withLock { $0 } == 2)
    }

    @Test(
        "BTP-002: a PSM of 1 or 4 bytes is taken with a warning, another length is no PSM",
        arguments: [
            ([0x80, 0], nil), ([0x80], "the device publishes a PSM of 1 byte rather than 2"),
            ([0x80, 0, 0, 0], "the device publishes a PSM of 4 bytes rather than 2"),
        ] as [([UInt8], String?)])
    func oddPSM(value: [UInt8], warning: String?) async throws {
        let radio = HandPlayedDevice.radio(hello: Hello(), psmValue: value) { message, tag in
            if case .list = message { frame(.listed(more: false), tag: tag) } else { [] }
        }
        var routes: [RouteInformation] = []
        _ = try await BargeHost(central: radio.central).files(on: device) { event in
            if case .route(let information) = event { routes.append(information) }
        }
        #expect(routes.map(\.warning) == [warning])
        #expect(routes.map(\.route) == [.coc])
    }

    @Test("A device whose list never ends is given up with a sentence, not cut short in silence")
    func endlessList() async throws {
        let host = host { message, tag in
            guard case .list(let after) = message else { return [] }
            let last = Int(after.printable) ?? 0
            var bytes: [UInt8] = []
            for number in last + 1...last + 32 {
                let digits = String(number)
                let text = Array((String(repeating: "0", count: 9 - digits.count) + digits).utf8)
                let name = Name(text.span.bytes) ?? Name()
                let entry = FileEntry(size: 1, modifiedSeconds: 0, name: name)
                bytes += frame(.entry(entry), tag: tag)
            }
            return bytes + frame(.listed(more: true), tag: tag)
        }
        let error = await #expect(throws: BargeError.self) {
            try await host.files(on: device)
        }
        #expect(error?.identifier == "too-many-files")
    }

    @Test("A device that sends on after FIN is left to itself after twelve times the patience")
    func endlessFarewell() async throws {
        var host = host { message, tag in
            switch message {
            case .list: return frame(.listed(more: false), tag: tag)
            case .fin:
                // Of no open request: the host skips it (BTP-035). Half a minute of air.
                let skipped = [UInt8](repeating: 0, count: 247)
                let one = frame(.echoed(byteCount: 247), tag: 9, payload: skipped)
                return Array(repeatElement(one, count: 20_000).joined())
            default: return []
            }
        }
        host.options.stepMicroseconds = 1_000_000
        let begin = host.central.now
        #expect(try await host.files(on: device).isEmpty)
        let passed = host.central.now.microseconds(since: begin)
        #expect(passed > 12_000_000 && passed < 16_000_000)
    }
}

import BargeProtocol
import Testing

@Suite("HELLO")
struct HelloTests {
    /// A body of the magic, the versions and these fields.
    private func body(_ fields: [(UInt8, [UInt8])], versions: [UInt8] = [1, 1]) -> [UInt8] {
        [0x42, 0x54, 0x50, 0x00] + versions
            + fields.flatMap { [$0.0, UInt8($0.1.count)] + $0.1 }
    }

    private func hello(_ fields: [(UInt8, [UInt8])]) throws(ProtocolFault) -> Hello {
        guard case .hello(let hello) = try decode(.hello, body(fields)) else {
            preconditionFailure("HELLO decodes to HELLO")
        }
        return hello
    }

    private func u16(_ value: Int) -> [UInt8] { little(UInt64(value), bytes: 2) }
    private func u32(_ value: Int) -> [UInt8] { little(UInt64(value), bytes: 4) }

    private static let full: Hello = {
        var hello = Hello()
        hello.bodyBytes = 4104
        hello.blockBytes = 4096
        hello.inflateWindowBits = 12
        hello.deflateWindowBits = 15
        hello.receiveWindowBytes = 65_536
        hello.features = [.firmware, .files, .measurement]
        hello.serial = Name("S-0001")
        hello.model = Name("sensor")
        hello.geometry = FirmwareGeometry(
            slotBytes: 0x80000, sectorBytes: 4096, programUnitBytes: 4, erasedValue: 0xFF)
        hello.software = Name("fw 1.2")
        hello.bootID = 0xDEAD_BEEF
        return hello
    }()

    @Test("The least and the most that a side says are as drawn (BTP-040)")
    func vectors() throws {
        #expect(Message.hello(Hello()).frame(tag: 0) == bytes(hex: FrameVectors.helloSmall))
        #expect(Message.hello(Self.full).frame(tag: 0) == bytes(hex: FrameVectors.helloFull))
        let small = try #require(try ReadFrame(bytes(hex: FrameVectors.helloSmall)))
        let full = try #require(try ReadFrame(bytes(hex: FrameVectors.helloFull)))
        #expect(small.message == .hello(Hello()))
        #expect(full.message == .hello(Self.full))
    }

    @Test("The longest HELLO fits what is taken before any HELLO (BTP-031)")
    func longest() {
        var hello = Self.full
        let label = Name(bytes: [UInt8](repeating: 0x61, count: 32))
        hello.serial = label
        hello.model = label
        hello.software = label
        #expect(Message.hello(hello).bodyBytes <= 255)
        #expect(hello.serial == label && hello.model == label && hello.software == label)
    }

    @Test("What is left out has its default: 320, 256, stored only, one block, nothing offered")
    func defaults() throws {
        let hello = try hello([])
        #expect(hello.bodyBytes == 320 && hello.blockBytes == 256)
        #expect(hello.inflateWindowBits == nil && hello.deflateWindowBits == nil)
        #expect(hello.receiveWindowBytes == 256)
        #expect(hello.features.isEmpty && hello.bootID == 0 && hello.geometry == nil)
        #expect(hello.serial.isEmpty && hello.model.isEmpty && hello.software.isEmpty)
    }

    @Test("A receive window that is left out is the block size that is not")
    func defaultWindow() throws {
        let hello = try hello([(1, u16(4104)), (2, u16(4096))])
        #expect(hello.receiveWindowBytes == 4096)
    }

    @Test("A field that is not known is skipped below 0x80 and refused from there (BTP-042)")
    func unknownFields() throws {
        #expect(try hello([(0x07, [1]), (0x7F, []), (2, u16(256))]) == Hello())
        #expect(throws: ProtocolFault.unknownField(id: 0x80)) { try hello([(0x80, [])]) }
        #expect(throws: ProtocolFault.unknownField(id: 0xFF)) { try hello([(0xFF, [1])]) }
        #expect(ProtocolFault.unknownField(id: 0x81).error.detail == 0x81)
    }

    @Test("A value longer than drawn is read as far as it is known (BTP-043)")
    func longValues() throws {
        let hello = try hello([(1, u16(520) + [9, 9]), (2, u16(512) + [1]), (3, [10, 0])])
        #expect(hello.bodyBytes == 520 && hello.blockBytes == 512)
        #expect(hello.inflateWindowBits == 10)
    }

    @Test("A value shorter than drawn is malformed (BTP-043)")
    func shortValues() {
        let drawn: [(UInt8, Int)] = [
            (1, 2), (2, 2), (3, 1), (4, 1), (5, 4), (6, 4), (0x10, 1), (0x11, 1), (0x12, 10),
            (0x13, 1), (0x14, 4),
        ]
        for (id, count) in drawn {
            for short in 0..<count {
                let value = [UInt8](repeating: 9, count: short)
                #expect(throws: ProtocolFault.malformed, "field \(id), \(short) bytes") {
                    try hello([(id, value)])
                }
            }
        }
    }

    @Test("Each number is taken at the edges of its range and refused beyond (BTP-043, BTP-044)")
    func ranges() throws {
        let block = (UInt8(2), u16(32768))
        let good: [[(UInt8, [UInt8])]] = [
            [(1, u16(320))], [(1, u16(65535))], [(2, u16(256))], [block, (1, u16(32776))],
            [(3, [9])], [(3, [15])], [(4, [9])], [(4, [15])], [(5, u32(256))],
            [(5, u32(0xFFFF_FFFF))], [(0x10, [UInt8](repeating: 0x61, count: 32))],
            [block, (1, u16(32776)), (5, u32(32768))],
        ]
        for fields in good { #expect(throws: Never.self, "\(fields)") { try hello(fields) } }
        let bad: [[(UInt8, [UInt8])]] = [
            [(1, u16(319))], [(2, u16(128))], [(2, u16(257))], [(2, u16(384)), (1, u16(400))],
            [(2, u16(0))], [(2, u16(65535)), (1, u16(65535))], [block, (1, u16(32775))],
            [block], [(3, [8])], [(3, [16])], [(4, [0])], [(4, [16])], [(5, u32(255))],
            [(5, u32(0))], [(0x13, [UInt8](repeating: 0x61, count: 33))],
            [block, (1, u16(32776)), (5, u32(32767))],
        ]
        for fields in bad {
            #expect(throws: ProtocolFault.malformed, "\(fields)") { try hello(fields) }
        }
    }

    @Test("Of a field that is given twice the last one counts (BTP-043)")
    func repeatedFields() throws {
        #expect(try hello([(3, [9]), (3, [12])]).inflateWindowBits == 12)
    }

    @Test("Another magic, and fields that end beyond the body, are malformed (BTP-043)")
    func broken() {
        let good = body([(3, [9])])
        for position in 0..<4 {
            var other = good
            other[position] ^= 0x20
            #expect(throws: ProtocolFault.malformed) { try decode(.hello, other) }
        }
        #expect(throws: ProtocolFault.malformed) { try decode(.hello, good + [4]) }
        #expect(throws: ProtocolFault.malformed) { try decode(.hello, good + [0x30, 1]) }
    }

    @Test("Versions of which the lowest is 0 or above the highest are malformed (BTP-043)")
    func versionOrder() throws {
        for versions: [UInt8] in [[0, 1], [0, 0], [2, 1]] {
            #expect(throws: ProtocolFault.malformed) {
                try decode(.hello, body([], versions: versions))
            }
        }
        #expect(throws: Never.self) { try decode(.hello, body([], versions: [1, 255])) }
    }

    @Test("The version in use is the highest that both speak, and none is an error (BTP-041)")
    func versions() {
        func settles(_ lowest: UInt8, _ highest: UInt8) -> Bool {
            var peer = Hello()
            peer.lowestVersion = lowest
            peer.highestVersion = highest
            return (try? SessionTerms(own: Hello(), peer: peer)) != nil
        }
        #expect(settles(1, 1) && settles(1, 9))
        #expect(!settles(2, 9))
        var newer = Hello()
        newer.lowestVersion = 2
        newer.highestVersion = 3
        #expect(throws: ProtocolFault.unsupportedVersion) {
            try SessionTerms(own: newer, peer: Hello())
        }
    }

    @Test("The smaller block size is in use, whoever has it (BTP-044)")
    func blockSize() throws {
        var small = Hello()
        small.bodyBytes = 1032
        small.blockBytes = 512
        #expect(try SessionTerms(own: small, peer: Self.full).blockBytes == 512)
        #expect(try SessionTerms(own: Self.full, peer: small).blockBytes == 512)
        #expect(try SessionTerms(own: Self.full, peer: small).peerBodyBytes == 1032)
    }

    @Test("The window is the smaller of inflate and deflate, and without either: stored (BTP-045)")
    func windows() throws {
        func window(deflate: UInt8?, inflate: UInt8?) throws -> UInt8? {
            var sender = Hello()
            sender.deflateWindowBits = deflate
            var receiver = Hello()
            receiver.inflateWindowBits = inflate
            let sending = try SessionTerms(own: sender, peer: receiver).sendingWindowBits
            let receiving = try SessionTerms(own: receiver, peer: sender).receivingWindowBits
            #expect(sending == receiving, "both sides come to the same")
            return sending
        }
        #expect(try window(deflate: 15, inflate: 10) == 10)
        #expect(try window(deflate: 9, inflate: 15) == 9)
        #expect(try window(deflate: nil, inflate: 15) == nil)
        #expect(try window(deflate: 15, inflate: nil) == nil)
    }
}

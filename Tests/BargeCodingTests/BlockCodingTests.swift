import BargeCoding
import BargeProtocol
import Testing

/// Bytes that deflate to about half: words of four letters from a seeded generator.
private func text(_ count: Int, seed: UInt64 = 7) -> [UInt8] {
    var state = seed
    return (0..<count).map { _ in
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return UInt8(ascii: "a") + UInt8(state >> 62) * 3
    }
}

/// Bytes that do not deflate.
private func noise(_ count: Int, seed: UInt64 = 11) -> [UInt8] {
    var state = seed
    return (0..<count).map { _ in
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return UInt8(truncatingIfNeeded: state >> 24)
    }
}

private func deflated(_ deflater: BlockDeflater, _ block: ArraySlice<UInt8>) -> [UInt8]? {
    var output: [UInt8] = []
    let count = Array(block).withUnsafeBytes { deflater.deflate($0, into: &output) }
    return count.map { Array(output.prefix($0)) }
}

private func inflated(_ inflater: BlockInflater, _ coded: [UInt8], count: Int) throws -> [UInt8] {
    var raw = [UInt8](repeating: 0, count: count)
    try coded.withUnsafeBytes { coded in
        try raw.withUnsafeMutableBytes { try inflater.inflate(coded, into: $0) }
    }
    return raw
}

@Suite("Blocks are deflated with what precedes them as history")
struct BlockCodingTests {
    @Test(
        "Text and noise in turn come out as they went in, at every window",
        arguments: UInt8(9)...15)
    func roundTrip(windowBits: UInt8) throws {
        let bytes = text(9000) + noise(5000) + text(9000, seed: 3)
        let deflater = BlockDeflater(windowBits: windowBits, level: 6)
        let inflater = BlockInflater(windowBits: windowBits)
        var result: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 1024) {
            let block = bytes[start..<min(start + 1024, bytes.count)]
            if let coded = deflated(deflater, block) {
                #expect(coded.count < block.count)
                result += try inflated(inflater, coded, count: block.count)
            } else {
                Array(block).withUnsafeBytes { inflater.addHistory($0) }
                result += block
            }
        }
        #expect(result == bytes)
    }

    /// With a small window zlib cannot store literals that have left it: it codes them, in more
    /// bytes than stored ones take. These seeds give 97, 99 and 106 bytes more than went in.
    @Test(
        "The largest block may grow in the deflater, and then is to travel stored",
        arguments: [UInt64(5), 27, 26_525])
    func growingBlock(seed: UInt64) throws {
        let block = noise(32_768, seed: seed &* 0x9E37_79B9_7F4A_7C15).enumerated().map {
            $0.isMultiple(of: 5) ? ($1 >> 1) &+ 151 : $1
        }
        let deflater = BlockDeflater(windowBits: 13, level: 2)
        #expect(deflated(deflater, block[...]) == nil)
    }

    @Test("BTP-051: both sides may begin anew at any block, with the history read from storage")
    func restart() throws {
        let bytes = text(20000)
        let deflater = BlockDeflater(windowBits: 12, level: 9)
        let inflater = BlockInflater(windowBits: 12)
        let resumed = 8192
        bytes[..<resumed].withUnsafeBytes {
            deflater.restart(history: $0)
            inflater.restart(history: $0)
        }
        let block = bytes[resumed..<resumed + 4096]
        let coded = try #require(deflated(deflater, block))
        #expect(try inflated(inflater, coded, count: 4096) == Array(block))
    }

    @Test("A block that yields one byte more or less than its raw length is refused")
    func lengths() throws {
        let bytes = text(512)
        let coded = try #require(deflated(BlockDeflater(windowBits: 9, level: 6), bytes[...]))
        for count in [1, 511, 513, 4096] {
            #expect(throws: BlockInflater.BadBlock.self) {
                try inflated(BlockInflater(windowBits: 9), coded, count: count)
            }
        }
        #expect(try inflated(BlockInflater(windowBits: 9), coded, count: 512) == bytes)
    }

    @Test("A block that is cut short anywhere, or marked final, is refused")
    func damage() throws {
        let bytes = text(512)
        let coded = try #require(deflated(BlockDeflater(windowBits: 9, level: 6), bytes[...]))
        for length in 0..<coded.count {
            #expect(throws: BlockInflater.BadBlock.self) {
                try inflated(
                    BlockInflater(windowBits: 9), Array(coded.prefix(length)), count: 512)
            }
        }
        // RFC 1951, 3.2.3: the first bit of a deflate block is BFINAL.
        var final = coded
        final[0] |= 1
        #expect(throws: BlockInflater.BadBlock.self) {
            try inflated(BlockInflater(windowBits: 9), final, count: 512)
        }
    }

    @Test("The digest of \"abc\" is the one that FIPS 180-4's examples give")
    func sha256() {
        let digest = SHA256.digest(of: Array("abc".utf8))
        let expected: [UInt8] = [
            0xBA, 0x78, 0x16, 0xBF, 0x8F, 0x01, 0xCF, 0xEA, 0x41, 0x41, 0x40, 0xDE, 0x5D, 0xAE,
            0x22, 0x23, 0xB0, 0x03, 0x61, 0xA3, 0x96, 0x17, 0x7A, 0x9C, 0xB4, 0x10, 0xFF, 0x61,
            0xF2, 0x00, 0x15, 0xAD,
        ]
        #expect(digest == Digest(expected.span.bytes))
    }
}

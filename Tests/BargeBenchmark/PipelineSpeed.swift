import Barge
import BargeCoding
import Bluetooth

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The host's own work for each byte, on one core: the file is read and digested once, then read
/// block by block (with the check that it did not change), CRC-32 and frame; for deflated blocks,
/// against zlib alone in the same run.
enum PipelineSpeed {
    private static let blockBytes = 4096

    static func measure(_ settings: Settings) async throws -> [Figure] {
        let files = try Compression.files()
        return [try stored()] + [Int32(6), 9].map { deflated($0, files) }
    }

    private static func stored() throws -> Figure {
        let folder = try TemporaryFolder()
        let path = try folder.file("noise", Noise(seed: 11).bytes(64 << 20))
        let rates = try (0..<3).map { _ in
            let source = try UploadSource(path: path)
            return Double(source.length) / (try CPUTime.of { try send(source) }) / 1e6
        }
        let rate = rates.max() ?? 0
        return Figure(
            what: "file to frames, stored (SHA-256 once, read, CRC-32, frame), one core",
            goal: ">= 200 MB/s", measured: "\(rate.text(0)) MB/s", isMet: rate >= 200)
    }

    private static func send(_ source: UploadSource) throws {
        _ = try source.digest()
        let framer = BlockFramer(windowBits: nil, level: 1)
        var block = [UInt8](repeating: 0, count: blockBytes)
        var queue = ByteQueue()
        for offset in stride(from: 0, to: source.length, by: blockBytes) {
            try block.withUnsafeMutableBytes { try source.read(at: offset, into: $0) }
            block.withUnsafeBytes { bytes in
                queue.append { framer.frame(bytes, offset: offset, tag: 1, into: &$0) }
            }
            queue.drop(queue.count)
        }
    }

    /// The least time of a few rounds each, which alternate, summed over all files: what else the
    /// computer does only ever adds.
    private static func deflated(_ level: Int32, _ files: [[UInt8]]) -> Figure {
        var (whole, blocks) = (0.0, 0.0)
        for file in files {
            var (bestWhole, bestBlocks) = (Double.infinity, Double.infinity)
            for _ in 0..<5 {
                bestWhole = min(
                    bestWhole,
                    CPUTime.of { _ = OneShot(windowBits: 15, level: level).deflate(file) })
                bestBlocks = min(
                    bestBlocks,
                    CPUTime.of {
                        let framer = BlockFramer(windowBits: 15, level: level)
                        Framing.frame(file, with: framer, blockBytes: blockBytes) { _ in }
                    })
            }
            whole += bestWhole
            blocks += bestBlocks
        }
        let ratio = whole / blocks
        return Figure(
            what: "deflated frames : zlib alone, level \(level), 4 KiB blocks, window of 15 bits, "
                + "\(files.count) U-Boots",
            goal: ">= 85 % of its speed", measured: ratio.percent, isMet: ratio >= 0.85)
    }
}

/// Time on a processor, which another program's work does not lengthen as it does the clock's.
enum CPUTime {
    /// Seconds that `body` took on all cores together.
    static func of(_ body: () throws -> Void) rethrows -> Double {
        let start = now
        try body()
        return now - start
    }

    private static var now: Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}

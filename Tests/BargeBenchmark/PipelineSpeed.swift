import Barge
import BargeCoding
import Bluetooth
import CZlib

/// The host's own work for each byte, on one core: the file is read and digested once, then read
/// block by block (with the check that it did not change), CRC-32 and frame; for deflated blocks,
/// against zlib alone in the same run.
enum PipelineSpeed {
    private static let blockBytes = 4096

    static func measure(_ settings: Settings) async throws -> [Figure] {
        [try stored()] + (try [Int32(6), 9].map(deflated))
    }

    private static func stored() throws -> Figure {
        let folder = try TemporaryFolder()
        let path = try folder.file("noise", Noise(seed: 11).bytes(64 << 20))
        let rates = try (0..<3).map { _ in
            let source = try UploadSource(path: path)
            return Double(source.length) / (try seconds { try send(source) }) / 1e6
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

    /// Rounds alternate, so that a busy machine slows both; the median of their ratios counts.
    private static func deflated(_ level: Int32) throws -> Figure {
        guard let file = try Compression.read("qemu_arm") else {
            throw BrokenMeasurement("no U-Boot in /usr/lib/u-boot: install u-boot-qemu")
        }
        let ratios = (0..<9).map { _ in
            let whole = seconds { _ = OneShot(windowBits: 15, level: level).deflate(file) }
            let blocks = seconds {
                let framer = BlockFramer(windowBits: 15, level: level)
                Framing.frame(file, with: framer, blockBytes: blockBytes) { _ in }
            }
            return whole / blocks
        }.sorted()
        let ratio = ratios[ratios.count / 2]
        return Figure(
            what: "deflated frames : zlib alone, level \(level), 4 KiB blocks, window of 15 bits",
            goal: ">= 85 % of its speed", measured: ratio.percent, isMet: ratio >= 0.85)
    }

    private static func seconds(_ body: () throws -> Void) rethrows -> Double {
        let start = ContinuousClock.now
        try body()
        return (ContinuousClock.now - start).seconds
    }
}

import Barge
import BargeCoding
import CZlib

/// What blocks cost against one deflate of the whole file, with the same window at level 9.
///
/// The files are real: U-Boot as Debian builds it for nine machines (package u-boot-qemu). Blocks
/// go through the library's own framer, and their sixteen bytes of frame and header count.
///
/// The goal was set on two of the builds, against zlib at its largest memory level, 9. At its
/// default, 8, zlib closes deflate blocks more often and gets smaller by up to 0.8 %: that figure
/// is printed for all nine builds, without a goal.
enum Compression {
    private static let machines = [
        "malta64el", "maltael", "qemu-ppce500", "qemu-riscv64", "qemu-riscv64_smode", "qemu-x86",
        "qemu-x86_64", "qemu_arm", "qemu_arm64",
    ]
    private static let machinesOfTheGoal = ["qemu_arm", "qemu-riscv64"]

    static func measure(_ settings: Settings) async throws -> [Figure] {
        let few = try files(of: machinesOfTheGoal)
        let all = try files()
        var figures: [Figure] = []
        for (blockBytes, goal) in [(4096, 1.025), (16_384, 1.005)] {
            let size = "blocks of \(blockBytes / 1024) KiB : one deflate -9"
            let close = range(few, blockBytes: blockBytes, memoryLevel: 9)
            figures.append(
                Figure(
                    what: "\(size), windows of 10, 12, 15 bits, two U-Boots, memory level 9",
                    goal: "<= \(goal.text(3))", measured: close.text,
                    isMet: close.most <= goal))
            let wide = range(all, blockBytes: blockBytes, memoryLevel: 8)
            figures.append(
                Figure(
                    what: "the same, \(all.count) U-Boots, memory level 8", goal: "-",
                    measured: wide.text, isMet: nil))
        }
        return figures
    }

    private struct Range {
        var least = Double.infinity
        var most = 0.0

        var text: String { "\(least.text(4))...\(most.text(4))" }
    }

    private static func range(
        _ files: [[UInt8]], blockBytes: Int, memoryLevel: Int32
    ) -> Range {
        var range = Range()
        for file in files {
            for windowBits in [UInt8(10), 12, 15] {
                let ratio = ratio(
                    file, blockBytes: blockBytes, windowBits: windowBits,
                    memoryLevel: memoryLevel)
                range.least = min(range.least, ratio)
                range.most = max(range.most, ratio)
            }
        }
        return range
    }

    /// The firmware of all machines that are installed.
    static func files() throws -> [[UInt8]] { try files(of: machines) }

    private static func files(of machines: [String]) throws -> [[UInt8]] {
        let files = try machines.compactMap(read)
        guard !files.isEmpty else {
            throw BrokenMeasurement("no U-Boot in /usr/lib/u-boot: install u-boot-qemu")
        }
        return files
    }

    private static func read(_ machine: String) throws -> [UInt8]? {
        guard let source = try? UploadSource(path: "/usr/lib/u-boot/\(machine)/u-boot.bin") else {
            return nil
        }
        var bytes = [UInt8](repeating: 0, count: Int(source.length))
        try bytes.withUnsafeMutableBytes { try source.read(at: 0, into: $0) }
        return bytes
    }

    private static func ratio(
        _ file: [UInt8], blockBytes: Int, windowBits: UInt8, memoryLevel: Int32
    ) -> Double {
        var frames: [UInt8] = []
        Framing.frame(
            file, with: BlockFramer(windowBits: windowBits, level: 9), blockBytes: blockBytes
        ) { frames.append(contentsOf: $0) }
        let oneShot = OneShot(windowBits: windowBits, level: 9, memoryLevel: memoryLevel)
        return Double(frames.count) / Double(oneShot.deflate(file).count)
    }
}

/// A file's way through a framer, block by block.
enum Framing {
    static func frame(
        _ file: [UInt8], with framer: BlockFramer, blockBytes: Int,
        _ body: ([UInt8]) -> Void
    ) {
        var frame: [UInt8] = []
        for start in stride(from: 0, to: file.count, by: blockBytes) {
            frame.removeAll(keepingCapacity: true)
            file.withUnsafeBytes { bytes in
                let block = bytes[start..<min(start + blockBytes, bytes.count)]
                framer.frame(
                    UnsafeRawBufferPointer(rebasing: block), offset: UInt64(start), tag: 1,
                    into: &frame)
            }
            body(frame)
        }
    }
}

/// zlib itself, on a whole file at once: what blocks are held against.
struct OneShot {
    let windowBits: UInt8
    let level: Int32
    /// How much memory the matcher takes, 1…9; 8 is zlib's default.
    var memoryLevel: Int32 = 8

    func deflate(_ file: [UInt8]) -> [UInt8] {
        var stream = z_stream()
        let status = deflateInit2_(
            &stream, level, Z_DEFLATED, -Int32(windowBits), memoryLevel, Z_DEFAULT_STRATEGY,
            ZLIB_VERSION,
            Int32(MemoryLayout<z_stream>.size))
        precondition(status == Z_OK, "zlib has no memory")
        defer { deflateEnd(&stream) }
        let bound = Int(deflateBound(&stream, UInt(file.count)))
        return [UInt8](unsafeUninitializedCapacity: bound) { output, initialized in
            file.withUnsafeBufferPointer { input in
                stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
                stream.avail_in = UInt32(input.count)
                stream.next_out = output.baseAddress
                stream.avail_out = UInt32(output.count)
                let status = CZlib.deflate(&stream, Z_FINISH)
                precondition(status == Z_STREAM_END, "a file did not fit its bound")
            }
            initialized = bound - Int(stream.avail_out)
        }
    }
}

import Barge
import BargeCoding
import CZlib

/// What blocks cost against one deflate of the whole file, with the same window at level 9.
///
/// The files are real: U-Boot as Debian builds it for nine machines (package u-boot-qemu). Blocks
/// go through the library's own framer, and their sixteen bytes of frame and header count.
enum Compression {
    private static let machines = [
        "malta64el", "maltael", "qemu-ppce500", "qemu-riscv64", "qemu-riscv64_smode", "qemu-x86",
        "qemu-x86_64", "qemu_arm", "qemu_arm64",
    ]

    static func measure(_ settings: Settings) async throws -> [Figure] {
        let files = try files()
        var figures: [Figure] = []
        for (blockBytes, goal) in [(4096, 1.025), (16_384, 1.005)] {
            for windowBits in [UInt8(10), 12, 15] {
                let ratios = files.map { ratio($0, blockBytes: blockBytes, windowBits: windowBits) }
                let (least, most) = (ratios.min() ?? 0, ratios.max() ?? 0)
                figures.append(
                    Figure(
                        what: "blocks of \(blockBytes / 1024) KiB : one deflate -9, window of "
                            + "\(windowBits) bits, \(files.count) U-Boots",
                        goal: "<= \(goal.text(3))",
                        measured: "\(least.text(4))...\(most.text(4))", isMet: most <= goal))
            }
        }
        return figures
    }

    /// The firmware of all machines that are installed.
    static func files() throws -> [[UInt8]] {
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

    private static func ratio(_ file: [UInt8], blockBytes: Int, windowBits: UInt8) -> Double {
        var frames: [UInt8] = []
        Framing.frame(
            file, with: BlockFramer(windowBits: windowBits, level: 9), blockBytes: blockBytes
        ) { frames.append(contentsOf: $0) }
        let whole = OneShot(windowBits: windowBits, level: 9).deflate(file).count
        return Double(frames.count) / Double(whole)
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

    func deflate(_ file: [UInt8]) -> [UInt8] {
        var stream = z_stream()
        let status = deflateInit2_(
            &stream, level, Z_DEFLATED, -Int32(windowBits), 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
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

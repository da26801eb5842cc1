internal import CZlib

/// Deflates the blocks of one object, each with the raw bytes before it as history (BTP-051).
///
/// It is one zlib stream, flushed at the end of each block: the history comes for free, and at the
/// speed of zlib itself. Blocks are handed over in order.
public final class BlockDeflater {
    private let stream: UnsafeMutablePointer<z_stream>
    private let windowBits: UInt8

    /// What a flush ends with, and what the wire leaves out (BTP-051).
    static let flushMarker: [UInt8] = [0x00, 0x00, 0xFF, 0xFF]
    /// What a flush may add to zlib's bound, generously.
    private static let flushBytes = 16
    /// zlib's own default for how much memory the matcher takes.
    private static let memoryLevel: Int32 = 8

    /// A stream at offset 0.
    /// - Parameters:
    ///   - windowBits: the base-2 logarithm of the window, 9…15.
    ///   - level: zlib's, 1…9.
    public init(windowBits: UInt8, level: Int32) {
        precondition((9...15).contains(windowBits), "a deflate window has 9...15 bits")
        precondition((1...9).contains(level), "a deflate level is 1...9")
        self.windowBits = windowBits
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        let status = deflateInit2_(
            stream, level, Z_DEFLATED, -Int32(windowBits), Self.memoryLevel,
            Z_DEFAULT_STRATEGY, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        precondition(status == Z_OK, "zlib has no memory")
    }

    deinit {
        deflateEnd(stream)
        stream.deinitialize(count: 1)
        stream.deallocate()
    }

    /// Starts anew at an offset: `history` is the raw bytes before it, as many as the window holds.
    public func restart(history: UnsafeRawBufferPointer) {
        var status = deflateReset(stream)
        precondition(status == Z_OK, "the stream is broken")
        let kept = min(history.count, 1 << Int(windowBits))
        guard kept > 0, let base = history.baseAddress else { return }
        let start = base.advanced(by: history.count - kept).assumingMemoryBound(to: UInt8.self)
        status = deflateSetDictionary(stream, start, UInt32(kept))
        precondition(status == Z_OK, "the stream takes no history")
    }

    /// Appends the deflated block to `output`, and answers how many bytes that took; nil, with
    /// nothing appended, where they would not be fewer than the raw ones (BTP-052). The block is
    /// history for the next one either way.
    public func deflate(_ block: UnsafeRawBufferPointer, into output: inout [UInt8]) -> Int? {
        guard let base = block.baseAddress, !block.isEmpty else { return nil }
        let start = output.count
        // Room for all that one call may flush: zlib's own bound holds for a stream that ends,
        // and a flush adds what is left of a byte and an empty stored block.
        let bound = Int(deflateBound(stream, UInt(block.count))) + Self.flushBytes
        let produced = output.withExtraCapacity(bound) { room in
            stream.pointee.next_in = UnsafeMutablePointer(
                mutating: base.assumingMemoryBound(to: UInt8.self))
            stream.pointee.avail_in = UInt32(block.count)
            stream.pointee.next_out = room.baseAddress
            stream.pointee.avail_out = UInt32(room.count)
            let status = CZlib.deflate(stream, Z_SYNC_FLUSH)
            precondition(
                status == Z_OK && stream.pointee.avail_in == 0 && stream.pointee.avail_out > 0,
                "a block did not fit its bound")
            return room.count - Int(stream.pointee.avail_out)
        }
        let coded = produced - Self.flushMarker.count
        precondition(
            output[(output.count - Self.flushMarker.count)...].elementsEqual(Self.flushMarker),
            "a flush ends with its marker")
        guard coded > 0, coded < block.count else {
            output.removeSubrange(start...)
            return nil
        }
        output.removeLast(Self.flushMarker.count)
        return coded
    }
}

extension [UInt8] {
    /// Lets `body` fill up to `count` bytes behind the present ones, and keeps as many as it says.
    mutating func withExtraCapacity(
        _ count: Int, _ body: (UnsafeMutableBufferPointer<UInt8>) -> Int
    ) -> Int {
        let start = self.count
        append(contentsOf: repeatElement(0, count: count))
        let kept = withUnsafeMutableBufferPointer { buffer in
            body(UnsafeMutableBufferPointer(rebasing: buffer[start...]))
        }
        removeLast(count - kept)
        return kept
    }
}

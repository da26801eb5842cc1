internal import CZlib

/// Inflates the blocks of one object, in order (BTP-051, BTP-053).
public final class BlockInflater {
    private let stream: UnsafeMutablePointer<z_stream>
    private let windowBits: UInt8

    /// The block's data is not what its header says.
    public struct BadBlock: Error, Hashable, Sendable {}

    /// A stream at offset 0, for a sender that deflates with at most this window.
    public init(windowBits: UInt8) {
        precondition((9...15).contains(windowBits), "a deflate window has 9...15 bits")
        self.windowBits = windowBits
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        let status = inflateInit2_(
            stream, -Int32(windowBits), ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        precondition(status == Z_OK, "zlib has no memory")
    }

    deinit {
        inflateEnd(stream)
        stream.deinitialize(count: 1)
        stream.deallocate()
    }

    /// Starts anew at an offset: `history` is the raw bytes before it, as many as the window holds.
    public func restart(history: UnsafeRawBufferPointer) {
        let status = inflateReset2(stream, -Int32(windowBits))
        precondition(status == Z_OK, "the stream is broken")
        addHistory(history)
    }

    /// A block travelled stored: its bytes are history for the next one (BTP-052).
    public func addHistory(_ raw: UnsafeRawBufferPointer) {
        let kept = min(raw.count, 1 << Int(windowBits))
        guard kept > 0, let base = raw.baseAddress else { return }
        let start = base.advanced(by: raw.count - kept).assumingMemoryBound(to: UInt8.self)
        let status = inflateSetDictionary(stream, start, UInt32(kept))
        precondition(status == Z_OK, "the stream takes no history")
    }

    /// Fills `raw` with the block's bytes. After an error the stream must be restarted.
    /// - Throws: ``BadBlock`` where the data is no deflate data, or does not yield exactly
    ///   `raw.count` bytes, or goes on behind them, or is marked final.
    public func inflate(
        _ coded: UnsafeRawBufferPointer, into raw: UnsafeMutableRawBufferPointer
    ) throws(BadBlock) {
        guard !coded.isEmpty, let target = raw.baseAddress else { throw BadBlock() }
        stream.pointee.next_out = target.assumingMemoryBound(to: UInt8.self)
        stream.pointee.avail_out = UInt32(raw.count)
        try feed(coded)
        let marker = BlockDeflater.flushMarker
        try marker.span.bytes.withUnsafeBytes { (marker) throws(BadBlock) in
            try feed(marker)
        }
        guard stream.pointee.avail_out == 0, stream.pointee.data_type == Self.betweenBlocks else {
            throw BadBlock()
        }
    }

    /// What zlib's `data_type` says between two deflate blocks, at a byte's border, none of them
    /// marked final.
    private static let betweenBlocks: Int32 = 128

    /// Everything handed over must be taken: what is left when the output is full would yield more
    /// than the block's raw length.
    private func feed(_ bytes: UnsafeRawBufferPointer) throws(BadBlock) {
        guard let base = bytes.baseAddress else { return }
        stream.pointee.next_in = UnsafeMutablePointer(
            mutating: base.assumingMemoryBound(to: UInt8.self))
        stream.pointee.avail_in = UInt32(bytes.count)
        let status = CZlib.inflate(stream, Z_SYNC_FLUSH)
        guard status == Z_OK || status == Z_BUF_ERROR, stream.pointee.avail_in == 0 else {
            throw BadBlock()
        }
    }
}

public import BargeProtocol

/// A block's way out: raw bytes, deflated where that makes them fewer, into a frame.
public final class BlockFramer {
    private let deflater: BlockDeflater?
    private var scratch: [UInt8] = []

    /// - Parameters:
    ///   - windowBits: what the session settled on; nil: everything travels stored (BTP-045).
    ///   - level: zlib's, 1…9.
    public init(windowBits: UInt8?, level: Int32) {
        deflater = windowBits.map { BlockDeflater(windowBits: $0, level: level) }
    }

    /// Goes on at an offset; `history` is the raw bytes before it, as many as the window holds.
    public func restart(history: UnsafeRawBufferPointer) { deflater?.restart(history: history) }

    /// Appends the frame of one block.
    public func frame(
        _ raw: UnsafeRawBufferPointer, offset: UInt64, tag: UInt8, into output: inout [UInt8]
    ) {
        scratch.removeAll(keepingCapacity: true)
        guard let coded = deflater?.deflate(raw, into: &scratch) else {
            let header = BlockHeader(
                coding: .stored, offset: offset, rawBytes: raw.count, codedBytes: raw.count)
            Message.block(header).encode(tag: tag, payload: raw.bytes, into: &output)
            return
        }
        let header = BlockHeader(
            coding: .deflated, offset: offset, rawBytes: raw.count, codedBytes: coded)
        let payload = scratch
        Message.block(header).encode(tag: tag, payload: payload.span.bytes, into: &output)
    }
}

/// A block's way in: a frame whose check agreed, into raw bytes.
public final class BlockUnframer {
    private let inflater: BlockInflater?

    /// - Parameter windowBits: what the session settled on; nil: only stored blocks come.
    public init(windowBits: UInt8?) { inflater = windowBits.map(BlockInflater.init) }

    /// Goes on at an offset; `history` is the raw bytes before it, as many as the window holds.
    public func restart(history: UnsafeRawBufferPointer) { inflater?.restart(history: history) }

    /// The block's raw bytes. After an error it must be restarted.
    public func unframe(
        _ header: BlockHeader, coded: UnsafeRawBufferPointer
    ) throws(BlockInflater.BadBlock) -> [UInt8] {
        switch header.coding {
        case .stored:
            inflater?.addHistory(coded)
            return Array(coded)
        case .deflated:
            guard let inflater else { throw BlockInflater.BadBlock() }
            var raw = [UInt8](repeating: 0, count: header.rawBytes)
            var span = raw.mutableSpan
            var bytes = span.mutableBytes
            try bytes.withUnsafeMutableBytes { (target) throws(BlockInflater.BadBlock) in
                try inflater.inflate(coded, into: target)
            }
            return raw
        }
    }
}

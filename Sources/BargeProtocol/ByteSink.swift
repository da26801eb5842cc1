/// Where encoded bytes go: an array on a host, a fixed buffer on a microcontroller.
public protocol ByteSink {
    /// Takes one byte.
    mutating func append(_ byte: UInt8)
    /// Takes many.
    mutating func append(contentsOf bytes: RawSpan)
}

/// A sink into memory that the caller owns. What does not fit is a programming error: frames have
/// a known longest length.
public struct BufferSink: ByteSink {
    private let memory: UnsafeMutableRawBufferPointer
    /// How many bytes were taken.
    public private(set) var count = 0

    /// Writes to `memory` from its start. The caller keeps it alive.
    public init(_ memory: UnsafeMutableRawBufferPointer) { self.memory = memory }

    /// Takes one byte.
    public mutating func append(_ byte: UInt8) {
        precondition(count < memory.count, "the buffer is full")
        memory[count] = byte
        count += 1
    }

    /// Takes many.
    public mutating func append(contentsOf bytes: RawSpan) {
        for offset in 0..<bytes.byteCount { append(bytes.byte(at: offset)) }
    }
}

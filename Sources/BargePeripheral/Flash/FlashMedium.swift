/// What holds the bytes of a flash: a fixed number of them, readable and writable anywhere.
///
/// A medium knows nothing of sectors or erasing; ``FlashModel`` adds the rules.
/// The caller checks ranges, so a range outside the medium is a broken precondition.
public protocol FlashMedium: Sendable {
    /// Bytes that the medium holds.
    var size: Int { get }
    /// Copies the bytes from `address` on until `buffer` is full.
    func read(at address: Int, into buffer: UnsafeMutableRawBufferPointer) throws(FlashError)
    /// Replaces the bytes from `address` on.
    mutating func write(_ bytes: UnsafeRawBufferPointer, at address: Int) throws(FlashError)
    /// Replaces the bytes of `range` by one value.
    mutating func fill(_ range: Range<Int>, with value: UInt8) throws(FlashError)
    /// Whether the bytes from `address` on equal `bytes`.
    func matches(_ bytes: UnsafeRawBufferPointer, at address: Int) throws(FlashError) -> Bool
}

/// A medium in memory. A value: a copy is a snapshot, which costs nothing until one of the two is
/// written.
public struct MemoryFlashMedium: FlashMedium {
    /// All bytes, from address 0 on.
    public private(set) var bytes: [UInt8]

    /// A medium of `size` bytes of one value.
    public init(size: Int, filledWith value: UInt8) {
        bytes = [UInt8](repeating: value, count: size)
    }

    /// A medium that holds the given bytes.
    public init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Bytes that the medium holds.
    public var size: Int { bytes.count }

    /// Copies the bytes from `address` on until `buffer` is full.
    public func read(at address: Int, into buffer: UnsafeMutableRawBufferPointer) {
        precondition(address >= 0 && buffer.count <= size - address)
        bytes.withUnsafeBytes { source in
            buffer.copyMemory(
                from: UnsafeRawBufferPointer(rebasing: source[address..<address + buffer.count]))
        }
    }

    /// Replaces the bytes from `address` on.
    public mutating func write(_ source: UnsafeRawBufferPointer, at address: Int) {
        precondition(address >= 0 && source.count <= size - address)
        bytes.withUnsafeMutableBytes { target in
            UnsafeMutableRawBufferPointer(rebasing: target[address..<address + source.count])
                .copyMemory(from: source)
        }
    }

    /// Replaces the bytes of `range` by one value.
    public mutating func fill(_ range: Range<Int>, with value: UInt8) {
        precondition(range.lowerBound >= 0 && range.upperBound <= size)
        bytes.withUnsafeMutableBytes { target in
            _ = UnsafeMutableRawBufferPointer(rebasing: target[range])
                .initializeMemory(as: UInt8.self, repeating: value)
        }
    }

    /// Whether the bytes from `address` on equal `expected`.
    public func matches(_ expected: UnsafeRawBufferPointer, at address: Int) -> Bool {
        precondition(address >= 0 && expected.count <= size - address)
        return bytes.withUnsafeBytes { held in
            equalBytes(
                UnsafeRawBufferPointer(rebasing: held[address..<address + expected.count]), expected
            )
        }
    }
}

import BargeProtocol

/// Writes little-endian fields one after the other, and closes a record with its CRC-32.
struct RecordWriter {
    private(set) var bytes: [UInt8] = []

    mutating func write(_ value: some FixedWidthInteger & UnsignedInteger) {
        withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
    }

    mutating func write(_ digest: ContentDigest?) {
        bytes.append(
            contentsOf: digest?.bytes ?? [UInt8](repeating: 0, count: ContentDigest.byteCount))
    }

    mutating func write(_ content: [UInt8]) {
        bytes.append(contentsOf: content)
    }

    /// Appends the CRC-32 over everything before it.
    mutating func seal() {
        write(CRC32.value(of: bytes.span.bytes))
    }
}

/// Reads little-endian fields one after the other. The caller has checked that the bytes are there.
struct RecordReader {
    private let bytes: ArraySlice<UInt8>
    private var position: Int

    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        position = bytes.startIndex
    }

    /// A reader over a record whose last four bytes are the CRC-32 of all before them; `nil` if
    /// they are not.
    init?(sealed bytes: ArraySlice<UInt8>) {
        guard bytes.count >= 4 else { return nil }
        let expected = CRC32.value(
            of: bytes.span.bytes.extracting(0..<bytes.count - 4))
        var seal = RecordReader(bytes.suffix(4))
        guard seal.read(UInt32.self) == expected else { return nil }
        self.init(bytes)
    }

    mutating func read<Value: FixedWidthInteger & UnsignedInteger>(_: Value.Type) -> Value {
        let offset = position - bytes.startIndex
        position += MemoryLayout<Value>.size
        return Value(
            littleEndian: bytes.withUnsafeBytes {
                $0.loadUnaligned(fromByteOffset: offset, as: Value.self)
            })
    }

    mutating func readDigest() -> ContentDigest? {
        ContentDigest(readBytes(ContentDigest.byteCount))
    }

    mutating func readBytes(_ count: Int) -> ArraySlice<UInt8> {
        defer { position += count }
        return bytes[position..<position + count]
    }
}

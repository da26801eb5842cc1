/// What names an upload of a file.
public struct FileTransfer: Hashable, Sendable {
    /// The name that the file gets.
    public let name: FileName
    /// Its size in bytes.
    public let length: Int
    /// SHA-256 over its bytes.
    public let sha256: ContentDigest

    /// An upload of `length` bytes.
    public init(name: FileName, length: Int, sha256: ContentDigest) {
        self.name = name
        self.length = length
        self.sha256 = sha256
    }
}

/// The small file beside an unfinished one: a head that says what is being uploaded, written once,
/// and two places for the durable offset, written in turn. So a process that ends while it writes
/// spoils at most the place that holds the older offset.
struct PartialRecord: Hashable {
    /// The durable offset, numbered.
    struct Progress: Hashable {
        var sequence: UInt64
        var durableOffset: Int
    }

    var transfer: FileTransfer
    /// Grows with every upload that is begun: the lowest is the oldest.
    var ordinal: UInt64
    var progress: Progress

    static let magic: UInt32 = 0x3150_4642  // "BFP1"
    static let version: UInt16 = 1
    static let headSize = 384
    static let placeSize = 64
    static let fileSize = headSize + 2 * placeSize

    /// Where the next durable offset goes.
    static func place(of sequence: UInt64) -> Int { headSize + Int(sequence % 2) * placeSize }

    /// The whole file, as it is when an upload begins.
    var encoded: [UInt8] {
        var writer = RecordWriter()
        writer.write(Self.magic)
        writer.write(Self.version)
        writer.write(UInt16(transfer.name.bytes.count))
        writer.write(ordinal)
        writer.write(UInt64(transfer.length))
        writer.write(transfer.sha256)
        writer.write(Array(transfer.name.bytes))
        writer.write([UInt8](repeating: 0, count: Self.headSize - 4 - writer.bytes.count))
        writer.seal()
        writer.write([UInt8](repeating: 0, count: Self.fileSize - writer.bytes.count))
        var bytes = writer.bytes
        let place = Self.place(of: progress.sequence)
        let encoded = progress.encoded
        bytes.replaceSubrange(place..<place + encoded.count, with: encoded)
        return bytes
    }

    /// A record from its file; `nil` where it is damaged or another version's.
    init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.fileSize,
            var reader = RecordReader(sealed: bytes[..<Self.headSize]),
            reader.read(UInt32.self) == Self.magic, reader.read(UInt16.self) == Self.version
        else { return nil }
        let nameCount = Int(reader.read(UInt16.self))
        let ordinal = reader.read(UInt64.self)
        let length = Int(exactly: reader.read(UInt64.self))
        guard nameCount <= FileName.maximumBytes, ordinal < .max, let length,
            let sha256 = reader.readDigest(),
            let name = try? FileName(reader.readBytes(nameCount))
        else { return nil }
        let places = [0, 1].compactMap { Progress(bytes[Self.place(of: $0)...].prefix(20)) }
        guard let progress = places.max(by: { $0.sequence < $1.sequence }),
            progress.durableOffset <= length
        else { return nil }
        self.init(
            transfer: FileTransfer(name: name, length: length, sha256: sha256), ordinal: ordinal,
            progress: progress)
    }

    init(transfer: FileTransfer, ordinal: UInt64, progress: Progress) {
        self.transfer = transfer
        self.ordinal = ordinal
        self.progress = progress
    }
}

extension PartialRecord.Progress {
    /// Sequence number, offset, CRC-32.
    var encoded: [UInt8] {
        var writer = RecordWriter()
        writer.write(sequence)
        writer.write(UInt64(durableOffset))
        writer.seal()
        return writer.bytes
    }

    init?(_ bytes: ArraySlice<UInt8>) {
        guard var reader = RecordReader(sealed: bytes) else { return nil }
        sequence = reader.read(UInt64.self)
        guard sequence > 0, sequence < .max, let offset = Int(exactly: reader.read(UInt64.self))
        else { return nil }
        durableOffset = offset
    }
}

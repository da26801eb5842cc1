import BargeCoding
import BargeProtocol

/// An object that a session reads: a snapshot of what it was when the read began.
final class DeviceReading<Flash: FlashMedium, Files: FileMedium> {
    private enum Content {
        case file(FileSnapshot<Files.Handle>)
        case source(SourcePattern)
    }

    private var content: Content
    private let storage: DeviceStorage<Flash, Files>
    /// The digest of all that was read in order from 0.
    private var digest = SHA256()

    /// How many bytes there are.
    let size: Int

    /// Opens an object as it is now.
    init(_ request: ReadRequest, in storage: DeviceStorage<Flash, Files>) throws(DeviceRefusal) {
        self.storage = storage
        switch request.object.kind {
        case .file:
            let name = try storage.fileName(request.object)
            let snapshot = try storage.withFiles { (files) throws(StorageError) in
                try files.openRead(name)
            }
            content = .file(snapshot)
            size = snapshot.size
        case .source:
            guard request.offset == 0 else {
                throw DeviceRefusal(ErrorMessage(.badOffset, detail: 0))
            }
            guard request.length <= ProtocolLimits.maximumOffset,
                let length = Int(exactly: request.length)
            else {
                throw DeviceRefusal(
                    ErrorMessage(.notSupported, detail: ProtocolLimits.maximumOffset))
            }
            content = .source(SourcePattern(seed: request.object.number))
            size = length
        case .firmware, .sink: throw DeviceRefusal(ErrorMessage(.notSupported))
        }
    }

    /// The CRC-32 of the first `length` bytes, which are also digested.
    func prefixCheck(upTo length: Int) throws(DeviceRefusal) -> UInt32 {
        var check = CRC32()
        var offset = 0
        while offset < length {
            let chunk = try read(at: offset, count: min(Self.chunkBytes, length - offset))
            check.update(chunk.span.bytes)
            offset += chunk.count
        }
        return check.value
    }

    /// The next bytes, which are also digested. Reads go on where the last one ended.
    func read(at offset: Int, count: Int) throws(DeviceRefusal) -> [UInt8] {
        let bytes = try peek(at: offset, count: count)
        bytes.withUnsafeBytes { digest.update($0) }
        return bytes
    }

    /// The digest of all bytes read; zeros for a source (BTP-085).
    var value: Digest {
        guard case .file = content else { return Digest() }
        return digest.value
    }

    /// The bytes before an offset that a deflater needs as history.
    func history(before offset: Int, maximumBytes: Int) throws(DeviceRefusal) -> [UInt8] {
        let start = max(0, offset - maximumBytes)
        guard start < offset else { return [] }
        return try peek(at: start, count: offset - start)
    }

    private static var chunkBytes: Int { 64 * 1024 }

    private func peek(at offset: Int, count: Int) throws(DeviceRefusal) -> [UInt8] {
        switch content {
        case .file(let snapshot):
            return try storage.withFiles { (files) throws(StorageError) in
                try files.read(snapshot, offset..<offset + count)
            }
        case .source(var pattern):
            defer { content = .source(pattern) }
            return pattern.next(count)
        }
    }
}

/// The bytes of a source (BTP-083), from its beginning.
struct SourcePattern {
    private let isZero: Bool
    private var state: UInt32
    private var pending: [UInt8] = []

    init(seed: UInt8) {
        isZero = seed == 0
        state = UInt32(seed) &* 0x9E37_79B9
    }

    /// The next `count` bytes.
    mutating func next(_ count: Int) -> [UInt8] {
        guard !isZero else { return [UInt8](repeating: 0, count: count) }
        var bytes = pending
        bytes.reserveCapacity(count + 4)
        while bytes.count < count {
            state ^= state << 13
            state ^= state >> 17
            state ^= state << 5
            for shift in stride(from: UInt32(0), to: 32, by: 8) {
                bytes.append(UInt8(truncatingIfNeeded: state >> shift))
            }
        }
        pending = Array(bytes[count...])
        bytes.removeSubrange(count...)
        return bytes
    }
}

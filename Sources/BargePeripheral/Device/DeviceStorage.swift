import BargeCoding
import BargeProtocol

/// The device's objects as a session sees them: firmware slots, files, sink and source behind one
/// set of verbs. What it costs in flash time adds up and is fetched with ``takeElapsed()``.
public final class DeviceStorage<Flash: FlashMedium, Files: FileMedium> {
    /// The slots; nil on a device that takes no firmware.
    public var slots: FirmwareSlots<Flash, OpenSSLDigester>?
    /// The files; nil on a device that holds none.
    public var files: FileStore<Files, OpenSSLDigester>?
    /// The flash's own count of µs at the last ``takeElapsed()``.
    private var elapsedBefore = 0

    /// A device's storage.
    public init(
        slots: FirmwareSlots<Flash, OpenSSLDigester>?, files: FileStore<Files, OpenSSLDigester>?
    ) {
        self.slots = slots
        self.files = files
    }

    /// Flash time since the last call, in µs.
    func takeElapsed() -> UInt64 {
        guard let now = slots?.flash.elapsedMicroseconds else { return 0 }
        defer { elapsedBefore = now }
        return UInt64(now - min(elapsedBefore, now))
    }

    /// The geometry for HELLO.
    var geometry: FirmwareGeometry? {
        guard let layout = slots?.layout else { return nil }
        return FirmwareGeometry(
            slotBytes: UInt32(clamping: layout.slotSize),
            sectorBytes: UInt32(clamping: layout.geometry.sectorSize),
            programUnitBytes: UInt8(clamping: layout.geometry.programUnit),
            erasedValue: layout.geometry.erasedValue)
    }

    // MARK: Writing

    /// Opens an object for writing: what it holds of it already, or that it is all there.
    func openWrite(_ request: WriteRequest) throws(DeviceRefusal) -> WriteOpening {
        guard request.length <= ProtocolLimits.maximumOffset,
            let length = Int(exactly: request.length)
        else {
            throw DeviceRefusal(ErrorMessage(.noSpace, detail: ProtocolLimits.maximumOffset))
        }
        let digest = ContentDigest(request.digest)
        switch request.object.kind {
        case .firmware: return try openImage(request, length: length, digest: digest)
        case .file:
            let transfer = FileTransfer(
                name: try fileName(request.object), length: length, sha256: digest)
            switch try withFiles({ (files) throws(StorageError) in
                try files.beginWrite(transfer, restart: request.restart)
            }) {
            case .complete: return WriteOpening(offset: length, isComplete: true)
            case .write(let offset): return WriteOpening(offset: offset, isComplete: false)
            }
        case .sink: return WriteOpening(offset: 0, isComplete: false)
        case .source: throw DeviceRefusal(ErrorMessage(.notSupported))
        }
    }

    private func openImage(
        _ request: WriteRequest, length: Int, digest: ContentDigest
    ) throws(DeviceRefusal) -> WriteOpening {
        guard request.object.number == 0 else { throw DeviceRefusal(ErrorMessage(.notFound)) }
        guard length > 0 else { throw DeviceRefusal(ErrorMessage(.wrongImage)) }
        let image = ImageIdentity(length: length, sha256: digest)
        switch try withSlots({ (slots) throws(StorageError) in
            try slots.beginImage(image, restart: request.restart)
        }) {
        case .complete, .running: return WriteOpening(offset: length, isComplete: true)
        case .upload(let offset): return WriteOpening(offset: offset, isComplete: false)
        }
    }

    /// The CRC-32 of the first `length` bytes of what is being written, read from storage.
    func writtenCheck(_ object: ObjectReference, upTo length: Int) throws(DeviceRefusal) -> UInt32 {
        guard length > 0 else { return 0 }
        switch object.kind {
        case .firmware:
            return try withSlots { (slots) throws(StorageError) in
                try slots.prefixCRC32(upTo: length)
            }
        case .file:
            return try withFiles { (files) throws(StorageError) in
                try files.prefixCRC32(upTo: length)
            }
        case .sink, .source: return 0
        }
    }

    /// The last bytes before `offset` of what is being written: history for deflated blocks.
    func writtenHistory(
        _ object: ObjectReference, before offset: Int, maximumBytes: Int
    ) throws(DeviceRefusal) -> [UInt8] {
        let range = max(0, offset - maximumBytes)..<offset
        guard !range.isEmpty else { return [] }
        switch object.kind {
        case .firmware:
            return try withSlots { (slots) throws(StorageError) in
                try slots.read(.inactive, range)
            }
        case .file:
            return try withFiles { (files) throws(StorageError) in
                try files.readWritten(range)
            }
        case .sink, .source: return []
        }
    }

    /// Makes a block's raw bytes durable.
    func store(
        _ bytes: [UInt8], at offset: Int, of object: ObjectReference
    ) throws(DeviceRefusal) {
        switch object.kind {
        case .firmware:
            _ = try withSlots { (slots) throws(StorageError) in try slots.write(bytes, at: offset) }
        case .file:
            _ = try withFiles { (files) throws(StorageError) in try files.write(bytes, at: offset) }
        case .sink, .source: break
        }
    }

    /// Reads back what was written; only if the digest is the announced one it becomes visible.
    func finishWrite(_ request: WriteRequest) throws(DeviceRefusal) -> Digest {
        switch request.object.kind {
        case .firmware:
            try withSlots { (slots) throws(StorageError) in try slots.finishImage() }
        case .file:
            try withFiles { (files) throws(StorageError) in try files.finishWrite() }
        // What a sink was sent is gone: its digest is not checked (BTP-085).
        case .sink, .source: break
        }
        return request.digest
    }

    // MARK: Names

    /// The first `limit` files whose names sort after these bytes, which need not be a name
    /// (BTP-081).
    func names(after bytes: [UInt8], limit: Int) throws(DeviceRefusal) -> [StoredFile] {
        var last = try? FileName(bytes)
        while true {
            let page = try withFiles { [last] (files) throws(StorageError) in
                try files.list(after: last, limit: limit)
            }
            let after = page.filter { bytes.lexicographicallyPrecedes($0.name.bytes) }
            if !after.isEmpty || page.count < limit { return after }
            last = page.last?.name
        }
    }

    // MARK: Access

    // Slots and files are taken out and put back: to work on a copy of them would copy the flash.

    func withSlots<Result>(
        _ body: (inout FirmwareSlots<Flash, OpenSSLDigester>) throws(StorageError) -> Result
    ) throws(DeviceRefusal) -> Result {
        guard var taken = slots.take() else { throw DeviceRefusal(ErrorMessage(.notSupported)) }
        defer { slots = taken }
        do {
            return try body(&taken)
        } catch {
            throw DeviceRefusal(error, room: taken.layout.slotSize)
        }
    }

    func withFiles<Result>(
        _ body: (inout FileStore<Files, OpenSSLDigester>) throws(StorageError) -> Result
    ) throws(DeviceRefusal) -> Result {
        guard var taken = files.take() else { throw DeviceRefusal(ErrorMessage(.notSupported)) }
        defer { files = taken }
        do {
            return try body(&taken)
        } catch {
            throw DeviceRefusal(error, room: taken.limits.capacityBytes)
        }
    }

    func fileName(_ object: ObjectReference) throws(DeviceRefusal) -> FileName {
        do {
            return try FileName(object.name.bytes)
        } catch {
            // Which rule it breaks: the host knows those of BTP-080, and not the device's own.
            let text = Name(
                utf8: error.description, maximumBytes: ProtocolLimits.errorTextBytes)
            throw DeviceRefusal(ErrorMessage(.badName, text: text))
        }
    }
}

/// Where a write begins.
struct WriteOpening {
    let offset: Int
    let isComplete: Bool
}

/// Why the device does not do what it was asked: the error to send, or that it lost power.
struct DeviceRefusal: Error {
    /// What to send; nil where the power is gone and nothing can be sent.
    let message: ErrorMessage?

    init(_ message: ErrorMessage) { self.message = message }

    /// The protocol's number for what the storage says, with its sentence.
    init(_ error: StorageError, room: Int?) {
        guard let code = Self.code(for: error.kind) else {
            message = nil
            return
        }
        let text = Name(
            utf8: error.why, maximumBytes: ProtocolLimits.errorTextBytes)
        message = ErrorMessage(
            code, detail: code == .noSpace ? UInt64(max(0, room ?? 0)) : 0, text: text)
    }

    private static func code(for kind: StorageError.Kind) -> ErrorCode? {
        switch kind {
        case .noSpace: .noSpace
        // Nothing that waiting mends: the slot holds what the device would fall back on (BTP-069).
        case .wrongState, .notPermitted, .invalidArgument: .notPermitted
        case .notFound: .notFound
        case .storageFailure: .storageFailure
        case .corrupt: .changed
        case .digestMismatch: .digestMismatch
        case .powerLost: nil
        }
    }
}

extension ContentDigest {
    /// The protocol's digest as the storage has it.
    init(_ digest: Digest) {
        let bytes = (0..<Digest.byteCount).map { digest.byte(at: $0) }
        guard let value = ContentDigest(bytes) else { preconditionFailure("32 bytes are a digest") }
        self = value
    }

    /// The digest as the protocol has it.
    var wire: Digest { Digest(bytes.span.bytes) ?? Digest() }
}

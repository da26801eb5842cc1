import BargeProtocol

/// Where an upload of a file begins.
public enum FileWriteStart: Hashable, Sendable {
    /// The bytes before this offset are durable; go on from there. 0 is a fresh start.
    case write(from: Int)
    /// The store holds this very file already.
    case complete
}

/// An upload that is under way.
struct FileWriting<Handle, Digester: SHA256Digester> {
    let transfer: FileTransfer
    let names: PartialNames
    let data: Handle
    let record: Handle
    var progress: PartialRecord.Progress
    var verification: FileDigestRun<Handle, Digester>?
}

extension FileStore {
    /// Prepares an upload, and answers how much of it is there.
    ///
    /// A file that has its name already stays until the upload is finished. An upload that was open
    /// before is left as it is, to be resumed.
    /// - Parameter restart: Start at 0, whatever is there.
    /// - Throws: ``StorageError`` of kind `noSpace` before anything is written, `notPermitted`
    ///   where a link or a directory has the name, `storageFailure`.
    public mutating func beginWrite(
        _ transfer: FileTransfer, restart: Bool = false
    ) throws(StorageError) -> FileWriteStart {
        precondition(transfer.length >= 0, "a length is not negative")
        writing = nil
        let names = try partialNames(of: transfer)
        if !restart {
            if try holds(transfer) {
                try discard(names)
                return .complete
            }
            if let resumed = try resume(transfer, names) {
                writing = resumed
                return .write(from: resumed.progress.durableOffset)
            }
        }
        try discard(names)
        let ordinal = try makeRoom(for: transfer)
        writing = try start(transfer, names, ordinal: ordinal)
        return .write(from: 0)
    }

    /// Adds bytes to the upload. When this returns they are durable.
    /// - Parameters:
    ///   - bytes: At least one.
    ///   - offset: The durable offset.
    /// - Returns: The new durable offset.
    /// - Throws: ``StorageError`` of kind `wrongState` when no upload is open, `invalidArgument`
    ///   for an offset or a length that does not fit; `noSpace`, `storageFailure` (the durable
    ///   offset stays; write the same bytes again).
    @discardableResult
    public mutating func write(
        _ bytes: UnsafeRawBufferPointer, at offset: Int
    ) throws(StorageError) -> Int {
        let current = try requireWriting()
        let durable = current.progress.durableOffset
        guard offset == durable, bytes.count >= 1,
            bytes.count <= current.transfer.length - durable
        else {
            throw StorageError(
                .invalidArgument, what: "The bytes were refused",
                why: "\(bytes.count) bytes at offset \(offset) do not continue the file, which is "
                    + "durable up to \(durable) of \(current.transfer.length)",
                advice: "Go on from offset \(durable)")
        }
        let next = PartialRecord.Progress(
            sequence: current.progress.sequence + 1, durableOffset: durable + bytes.count)
        try attempt("writing \"\(current.transfer.name)\"") { (store) throws(FileMediumError) in
            try store.medium.write(bytes, to: current.data, at: offset)
            try next.encoded.withBytes { (buffer) throws(FileMediumError) in
                try store.medium.write(
                    buffer, to: current.record, at: PartialRecord.place(of: next.sequence))
            }
        }
        writing?.progress = next
        writing?.verification = nil
        return next.durableOffset
    }

    /// Adds bytes to the upload, as ``write(_:at:)`` does with a buffer.
    @discardableResult
    public mutating func write(_ bytes: [UInt8], at offset: Int) throws(StorageError) -> Int {
        try bytes.withBytes { (buffer) throws(StorageError) in try write(buffer, at: offset) }
    }

    /// The CRC-32 over the first `length` bytes of the upload, read back.
    /// - Throws: ``StorageError`` of kind `wrongState` when no upload is open, `invalidArgument`
    ///   beyond the durable offset, `corrupt`, `storageFailure`.
    public mutating func prefixCRC32(upTo length: Int) throws(StorageError) -> UInt32 {
        let current = try requireWriting()
        let durable = FileSnapshot(
            name: current.transfer.name, size: current.progress.durableOffset,
            handle: current.data)
        guard (0...durable.size).contains(length) else {
            throw StorageError(
                .invalidArgument, what: "The bytes cannot be checked",
                why: "the file is durable up to offset \(durable.size) only", advice: "Ask for less"
            )
        }
        var crc = CRC32()
        try forEachChunk(of: durable, 0..<length) { crc.update($0.bytes) }
        return crc.value
    }

    /// Bytes of the upload, which must be durable: history for deflated blocks.
    /// - Throws: ``StorageError`` of kind `wrongState` when no upload is open, else as reading a
    ///   file does.
    public mutating func readWritten(_ range: Range<Int>) throws(StorageError) -> [UInt8] {
        let current = try requireWriting()
        let durable = FileSnapshot(
            name: current.transfer.name, size: current.progress.durableOffset,
            handle: current.data)
        return try read(durable, range)
    }

    /// Reads the upload back and, if its digest is the announced one, puts it in its place, durably
    /// and in one step.
    ///
    /// With another digest the upload is given up, and a file that had the name stays.
    /// - Throws: as ``finishWrite(byteBudget:)`` does.
    public mutating func finishWrite() throws(StorageError) {
        while try !finishWrite(byteBudget: .max) {}
    }

    /// Does ``finishWrite()`` in pieces: reads at most about `byteBudget` bytes back, and answers
    /// whether all is done.
    /// - Throws: ``StorageError`` of kind `digestMismatch`; `wrongState` when no upload is open or
    ///   bytes are missing; `corrupt`, `notPermitted`, `storageFailure` (finish again).
    public mutating func finishWrite(byteBudget: Int) throws(StorageError) -> Bool {
        let current = try requireWriting()
        guard current.progress.durableOffset == current.transfer.length else {
            throw StorageError(
                .wrongState, what: "The file cannot be finished",
                why: "it is durable up to offset \(current.progress.durableOffset) only",
                advice: "Send the rest")
        }
        let whole = FileSnapshot(
            name: current.transfer.name, size: current.transfer.length, handle: current.data)
        var run = current.verification ?? FileDigestRun(whole)
        // A run cannot be taken back: if it fails, the next call begins a new one.
        writing?.verification = nil
        guard let found = try advance(&run, byteBudget: byteBudget) else {
            writing?.verification = run
            return false
        }
        try publish(current, found: found)
        return true
    }
}

// MARK: Steps

extension FileStore {
    func requireWriting() throws(StorageError) -> FileWriting<Medium.Handle, Digester> {
        guard let writing else {
            throw StorageError(
                .wrongState, what: "The bytes were refused", why: "no upload is open",
                advice: "Begin the file again and go on from the offset that the device answers")
        }
        return writing
    }

    private mutating func publish(
        _ current: FileWriting<Medium.Handle, Digester>, found: ContentDigest
    ) throws(StorageError) {
        let name = current.transfer.name
        guard found == current.transfer.sha256 else {
            writing = nil
            try discard(current.names)
            throw StorageError(
                .digestMismatch, what: "\"\(name)\" was refused",
                why: "the SHA-256 of what arrived is \(found), not the announced one",
                advice: "Check the file and send it again from the start")
        }
        _ = try attributes(of: name)
        try attempt("finishing \"\(name)\"") { (store) throws(FileMediumError) in
            try store.medium.sync(current.data)
            try store.medium.publish(current.names.data, as: name)
        }
        writing = nil
        do throws(StorageError) {
            try discard(current.names)
        } catch {
            // The file is in its place. A record that stays behind is cleared away with the next
            // upload.
        }
    }

    /// Whether the file is there already, byte for byte. Read only if the sizes are equal.
    private mutating func holds(_ transfer: FileTransfer) throws(StorageError) -> Bool {
        guard let found = try attributes(of: transfer.name), found.size == transfer.length else {
            return false
        }
        return try stat(transfer.name).sha256 == transfer.sha256
    }

    private mutating func resume(
        _ transfer: FileTransfer, _ names: PartialNames
    ) throws(StorageError) -> FileWriting<Medium.Handle, Digester>? {
        guard let record = try partialRecord(names.record), record.transfer == transfer else {
            return nil
        }
        return try attempt("resuming \"\(transfer.name)\"") { (store) throws(FileMediumError) in
            guard let held = try store.medium.attributes(of: names.data, in: .partials),
                held.size >= record.progress.durableOffset
            else { return nil }
            return FileWriting(
                transfer: transfer, names: names,
                data: try store.medium.open(names.data, in: .partials, forWriting: true),
                record: try store.medium.open(names.record, in: .partials, forWriting: true),
                progress: record.progress)
        }
    }

    private mutating func start(
        _ transfer: FileTransfer, _ names: PartialNames, ordinal: UInt64
    ) throws(StorageError) -> FileWriting<Medium.Handle, Digester> {
        let record = PartialRecord(
            transfer: transfer, ordinal: ordinal,
            progress: PartialRecord.Progress(sequence: 1, durableOffset: 0))
        return try attempt("beginning \"\(transfer.name)\"") { (store) throws(FileMediumError) in
            let handle = try store.medium.create(names.record, in: .partials)
            try record.encoded.withBytes { (buffer) throws(FileMediumError) in
                try store.medium.write(buffer, to: handle, at: 0)
            }
            return FileWriting(
                transfer: transfer, names: names,
                data: try store.medium.create(names.data, in: .partials), record: handle,
                progress: record.progress)
        }
    }
}

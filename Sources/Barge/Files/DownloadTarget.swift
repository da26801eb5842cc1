import BargeProtocol

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A file while it is received: bytes are appended to `NAME.part`, and it takes its name in one
/// step when it is whole. What has come survives everything, and the next try goes on behind it.
///
/// With the standard output as the place, bytes go out in order and cannot be taken back.
public final class DownloadTarget {
    /// Where it goes.
    public let destination: DownloadDestination
    /// What was there of an earlier try.
    public let beginning: Beginning
    /// How many bytes have come, from the first one on.
    public private(set) var heldBytes: UInt64

    private let sink: Sink
    private let chunks = FileChunks()
    /// Checks of all bytes that have come; nil where a part has to be read again for that.
    private var checks: RunningChecks?
    private var isEnded = false

    /// Opens or creates the part for a file of the device with this serial.
    ///
    /// Throws ``LocalFileError/Kind/busy`` if another process receives the same file,
    /// ``LocalFileError/Kind/newerVersion`` if a newer program left the part, and what the file
    /// system refuses.
    public init(
        _ destination: DownloadDestination, deviceSerial: String
    ) throws(LocalFileError) {
        self.destination = destination
        switch destination.place {
        case .file(let path):
            let journal = PartJournal(
                deviceSerial: deviceSerial, remoteName: destination.remoteName)
            let part = try PartFile.open(target: path, journal: journal)
            sink = .part(part)
            beginning = part.beginning
            heldBytes = part.byteCount
        case .standardOutput:
            sink = .stream(STDOUT_FILENO)
            beginning = .stream
            heldBytes = 0
        }
        checks = heldBytes == 0 ? RunningChecks() : nil
    }

    /// Streams to a descriptor that belongs to the caller.
    init(_ destination: DownloadDestination, streamingTo descriptor: Int32) {
        self.destination = destination
        sink = .stream(descriptor)
        beginning = .stream
        heldBytes = 0
        checks = RunningChecks()
    }

    deinit {
        // Nothing has come: nothing is worth to be found next time.
        if case .part(let part) = sink, !isEnded, heldBytes == 0 { try? part.remove() }
    }

    /// Takes the bytes that follow the ones held.
    ///
    /// After an error ``heldBytes`` counts what was written before it; the part stays, and the same
    /// transfer goes on from there. Precondition: not finished.
    public func append(_ bytes: UnsafeRawBufferPointer) throws(LocalFileError) {
        precondition(!isEnded, "finished already")
        var written = 0
        defer {
            heldBytes += UInt64(written)
            checks?.update(UnsafeRawBufferPointer(rebasing: bytes[..<written]))
        }
        do throws(SystemError) {
            switch sink {
            case .part(let part):
                try part.descriptor.write(bytes, at: heldBytes, written: &written)
            case .stream(let descriptor):
                try FileDescriptor(borrowing: descriptor).writeNext(bytes, written: &written)
            }
        } catch {
            throw writeError(error, held: heldBytes + UInt64(written))
        }
    }

    /// Takes the bytes that follow the ones held.
    public func append(_ bytes: RawSpan) throws(LocalFileError) {
        try bytes.withUnsafeBytes { (buffer) throws(LocalFileError) in try append(buffer) }
    }

    /// The CRC-32 of the bytes before `offset`, to be held against the device's; nil where that
    /// cannot be told: beyond ``heldBytes``, or in the middle of what went to the standard output.
    public func prefixCheck(upTo offset: UInt64) throws(LocalFileError) -> UInt32? {
        guard offset <= heldBytes else { return nil }
        if offset == 0 { return CRC32().value }
        // The digest will need the same bytes: both in one reading.
        if offset == heldBytes { return try heldChecks().crc32 }
        guard case .part(let part) = sink else { return nil }
        var crc = CRC32()
        try stream(part, upTo: offset) { crc.update($0.bytes) }
        return crc.value
    }

    /// The last bytes held, at most so many; none where they have left through the standard output.
    func lastBytes(atMost count: Int) throws(LocalFileError) -> [UInt8] {
        guard case .part(let part) = sink else { return [] }
        let size = min(UInt64(count), heldBytes)
        guard size > 0 else { return [] }
        var bytes = [UInt8](repeating: 0, count: Int(size))
        let start = heldBytes - size
        let read = try LocalFileError.when(
            "cannot read \(part.names.part)", path: part.names.part
        ) { () throws(SystemError) in
            var span = bytes.mutableSpan
            var room = span.mutableBytes
            return try room.withUnsafeMutableBytes { (buffer) throws(SystemError) in
                try part.descriptor.read(into: buffer, at: start)
            }
        }
        if read < bytes.count { try part.verifyHeld(heldBytes) }
        return bytes
    }

    /// Gives up everything behind `offset`, because the device has something else there.
    ///
    /// Throws ``LocalFileError/Kind/changed`` where bytes have left through the standard output.
    /// Precondition: `offset` is not beyond ``heldBytes``.
    public func truncate(to offset: UInt64) throws(LocalFileError) {
        precondition(offset <= heldBytes && !isEnded, "beyond what is held")
        guard offset < heldBytes else { return }
        guard case .part(let part) = sink else { throw cannotTakeBack() }
        try LocalFileError.when("cannot shorten \(part.names.part)", path: part.names.part) {
            () throws(SystemError) in try System.setLength(part.descriptor.rawValue, offset)
        }
        heldBytes = offset
        checks = offset == 0 ? RunningChecks() : nil
    }

    /// Gives up everything.
    public func restart() throws(LocalFileError) { try truncate(to: 0) }

    /// The SHA-256 of all bytes held. Nothing is read for it that came in this process from the
    /// first byte on.
    public func digest() throws(LocalFileError) -> Digest { try heldChecks().digest }

    /// Returns when what is held outlasts a power cut; to be called before a pause.
    public func synchronize() throws(LocalFileError) {
        try flush(heldBytes)
    }

    /// Makes the part the file: its bytes reach the medium, it takes the name in one step, and its
    /// journal goes. Digest and length are for the caller to check before.
    ///
    /// `overwrite` says whether a file that is there now may be replaced; without it the error is
    /// ``LocalFileError/Kind/alreadyExists``, and the part stays.
    public func finish(overwrite: Bool) throws(LocalFileError) {
        precondition(!isEnded, "finished already")
        try flush(heldBytes)
        if case .part(let part) = sink { try settle(part, overwrite: overwrite) }
        isEnded = true
    }

    /// Removes part and journal: the transfer shall not go on.
    public func discard() throws(LocalFileError) {
        precondition(!isEnded, "finished already")
        isEnded = true
        guard case .part(let part) = sink else { return }
        try LocalFileError.when("cannot remove \(part.names.part)", path: part.names.part) {
            () throws(SystemError) in try part.remove()
        }
    }
}

extension DownloadTarget {
    private enum Sink {
        case part(PartFile)
        case stream(Int32)
    }

    private func heldChecks() throws(LocalFileError) -> RunningChecks {
        if let checks { return checks }
        var all = RunningChecks()
        if case .part(let part) = sink { try stream(part, upTo: heldBytes) { all.update($0) } }
        checks = all
        return all
    }

    private func stream(
        _ part: PartFile, upTo offset: UInt64, _ body: (UnsafeRawBufferPointer) -> Void
    ) throws(LocalFileError) {
        let count = try LocalFileError.when(
            "cannot read \(part.names.part)", path: part.names.part
        ) { () throws(SystemError) in try chunks.stream(part.descriptor, upTo: offset, body) }
        if count < offset { try part.verifyHeld(heldBytes) }
    }

    private func flush(_ held: UInt64) throws(LocalFileError) {
        do throws(SystemError) {
            switch sink {
            case .part(let part): try System.synchronize(part.descriptor.rawValue)
            case .stream(let descriptor): try System.synchronize(descriptor)
            }
        } catch {
            // Pipes and terminals have nothing to flush, and say so.
            if case .stream = sink, [EINVAL, ENOTSUP, EROFS].contains(error.number) { return }
            throw writeError(error, held: held)
        }
    }

    private func settle(_ part: PartFile, overwrite: Bool) throws(LocalFileError) {
        let names = part.names
        try part.verifyHeld(heldBytes)
        try DownloadDestination.checkTarget(names.target)
        do throws(SystemError) {
            if overwrite {
                try System.renameFile(names.part, to: names.target)
            } else {
                try AtomicFile.moveWithoutReplacing(names.part, to: names.target)
            }
        } catch {
            if error.number == EEXIST { throw DownloadDestination.alreadyExists(names.target) }
            throw LocalFileError(error, "cannot write \(names.target)", path: names.target)
        }
        isEnded = true
        try LocalFileError.when("cannot finish \(names.target)", path: names.target) {
            () throws(SystemError) in
            try AtomicFile.synchronizeFolder(FilePath.folder(of: names.target))
            try part.remove()
        }
    }

    private func writeError(_ error: SystemError, held: UInt64) -> LocalFileError {
        switch sink {
        case .part(let part):
            let path = part.names.part
            let usual = LocalFileError(error, "cannot write \(path)", path: path)
            guard usual.kind == .storageFull, error.number != EFBIG else { return usual }
            return LocalFileError(
                error, usual.what, path: path,
                advice: "free some space and run the same command again: it goes on from the "
                    + "\(held) bytes that are there")
        case .stream:
            return LocalFileError(
                error, "cannot write to the standard output", path: "-",
                advice: "write to a file to be able to go on: \(held) bytes have left")
        }
    }

    private func cannotTakeBack() -> LocalFileError {
        LocalFileError(
            .changed, path: "-", what: "cannot start over",
            why: "the file changed on the device, and \(heldBytes) bytes of the old one have left "
                + "through the standard output", advice: "write to a file, or run it again")
    }
}

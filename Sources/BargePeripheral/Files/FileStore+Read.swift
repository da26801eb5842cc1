/// A file as it was when it was opened: the first `size` bytes of it. What is appended later does
/// not show.
public struct FileSnapshot<Handle> {
    /// The file's name.
    public let name: FileName
    /// Bytes of the snapshot.
    public let size: Int
    let handle: Handle
}

extension FileSnapshot: Sendable where Handle: Sendable {}

/// A digest over a file that is computed in pieces.
public struct FileDigestRun<Handle, Digester: SHA256Digester> {
    /// The bytes that the digest is over.
    public let snapshot: FileSnapshot<Handle>
    /// Bytes that are in it so far.
    public fileprivate(set) var offset = 0
    fileprivate var digester = Digester()

    init(_ snapshot: FileSnapshot<Handle>) {
        self.snapshot = snapshot
    }
}

extension FileStore {
    /// Opens a file to read. A log may grow meanwhile, and a file of that name be replaced or
    /// removed: the snapshot stays what it is.
    /// - Throws: ``StorageError`` of kind `notFound`, `notPermitted`, `storageFailure`.
    public mutating func openRead(
        _ name: FileName
    ) throws(StorageError) -> FileSnapshot<Medium.Handle> {
        try attempt("opening \"\(name)\"") { (store) throws(FileMediumError) in
            let handle = try store.medium.open(name, in: .files, forWriting: false)
            return FileSnapshot(name: name, size: try store.medium.size(of: handle), handle: handle)
        }
    }

    /// Copies bytes of a snapshot, from `offset` on, until `buffer` is full.
    /// - Throws: ``StorageError`` of kind `invalidArgument` for bytes beyond the snapshot,
    ///   `corrupt` when the file has shrunk since, `storageFailure`.
    public mutating func read(
        _ snapshot: FileSnapshot<Medium.Handle>, at offset: Int,
        into buffer: UnsafeMutableRawBufferPointer
    ) throws(StorageError) {
        try requireWithin(snapshot, offset, buffer.count)
        let count = try attempt("reading \"\(snapshot.name)\"") {
            (store) throws(FileMediumError) in
            try store.medium.read(snapshot.handle, at: offset, into: buffer)
        }
        guard count == buffer.count else {
            throw StorageError(
                .corrupt, what: "\"\(snapshot.name)\" cannot be read to its end",
                why: "it has shrunk since it was opened", advice: "Open it again and start over")
        }
    }

    /// The bytes of a snapshot in `range`.
    /// - Throws: as ``read(_:at:into:)`` does.
    public mutating func read(
        _ snapshot: FileSnapshot<Medium.Handle>, _ range: Range<Int>
    ) throws(StorageError) -> [UInt8] {
        // The range may come from a peer: it is checked before memory is taken for it.
        try requireWithin(snapshot, range.lowerBound, range.count)
        var bytes = [UInt8](repeating: 0, count: range.count)
        try bytes.fillBytes { (buffer) throws(StorageError) in
            try read(snapshot, at: range.lowerBound, into: buffer)
        }
        return bytes
    }

    private func requireWithin(
        _ snapshot: FileSnapshot<Medium.Handle>, _ offset: Int, _ count: Int
    ) throws(StorageError) {
        guard offset >= 0, offset <= snapshot.size, count <= snapshot.size - offset else {
            throw StorageError(
                .invalidArgument, what: "\"\(snapshot.name)\" cannot be read there",
                why: "\(count) bytes at offset \(offset) are not within its \(snapshot.size) bytes",
                advice: "Ask for less")
        }
    }

    /// Begins the digest of a file as it is now.
    /// - Throws: as ``openRead(_:)`` does.
    public mutating func beginDigest(
        of name: FileName
    ) throws(StorageError) -> FileDigestRun<Medium.Handle, Digester> {
        FileDigestRun(try openRead(name))
    }

    /// Takes at most about `byteBudget` more bytes into a digest; answers it when it is complete.
    /// - Throws: as ``read(_:at:into:)`` does.
    public mutating func advance(
        _ run: inout FileDigestRun<Medium.Handle, Digester>, byteBudget: Int
    ) throws(StorageError) -> ContentDigest? {
        var digester = run.digester
        let end = run.offset + min(max(byteBudget, 1), run.snapshot.size - run.offset)
        try forEachChunk(of: run.snapshot, run.offset..<end) { digester.update($0) }
        run.offset = end
        run.digester = digester
        return end == run.snapshot.size ? run.digester.finish() : nil
    }

    /// Reads a range of a snapshot in pieces of at most ``chunkSize``.
    mutating func forEachChunk(
        of snapshot: FileSnapshot<Medium.Handle>, _ range: Range<Int>,
        _ body: (UnsafeRawBufferPointer) -> Void
    ) throws(StorageError) {
        let buffer = UnsafeMutableRawBufferPointer.allocate(
            byteCount: Self.chunkSize, alignment: 16)
        defer { buffer.deallocate() }
        for start in stride(from: range.lowerBound, to: range.upperBound, by: buffer.count) {
            let count = min(buffer.count, range.upperBound - start)
            let chunk = UnsafeMutableRawBufferPointer(rebasing: buffer[..<count])
            try read(snapshot, at: start, into: chunk)
            body(UnsafeRawBufferPointer(chunk))
        }
    }
}

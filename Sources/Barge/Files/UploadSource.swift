import BargeCoding
import BargeProtocol

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// What is sent to a device: bytes in memory, a file, or a copy of the standard input.
///
/// A file is opened once and never loaded: memory is the same for 4 GiB as for 4 KiB. Its length
/// and times are kept from when it was opened, and every read compares: a file that shrinks, grows,
/// changes or goes away under the transfer ends it with ``LocalFileError/Kind/changed``, never with
/// a mixture of two files on the device.
///
/// An empty file is a source of length 0; whether that makes sense is for the verb to say.
public final class UploadSource {
    /// The file's name without its folder; what the caller chose for bytes in memory.
    public let name: String
    /// The path as it was given; `-` for the standard input; empty for bytes in memory.
    public let path: String
    /// How many bytes there are to send.
    public let length: UInt64

    private let content: Content
    private let chunks = FileChunks()
    private var knownDigest: Digest?

    /// A source of bytes that the program holds.
    public init(bytes: [UInt8], name: String) {
        self.name = name
        path = ""
        length = UInt64(bytes.count)
        content = .bytes(bytes)
    }

    /// Opens the file at `path`; a symbolic link is followed.
    ///
    /// Throws ``LocalFileError/Kind/notFound``, ``LocalFileError/Kind/notAFile`` for a folder, a
    /// pipe, a socket or a device, and ``LocalFileError/Kind/denied``.
    public init(path: String) throws(LocalFileError) {
        let file = try OpenedFile(sending: path)
        self.path = path
        name = FilePath.lastComponent(path)
        length = file.opened.byteCount
        content = .file(file)
    }

    /// Copies the standard input into a nameless temporary file in `folder`, until it ends.
    ///
    /// A stream cannot be read twice, and a transfer that resumes has to. The copy needs as much
    /// room as the input is long, and is gone when the source is, even after a crash.
    /// Throws ``LocalFileError/Kind/storageFull``, and ``LocalFileError/Kind/badName`` if there are
    /// more than `longest` bytes (default: the protocol's largest offset).
    public convenience init(
        standardInputSpooledIn folder: String, name: String = "stdin",
        longest: UInt64 = ProtocolLimits.maximumOffset
    ) throws(LocalFileError) {
        let input = FileDescriptor(borrowing: STDIN_FILENO)
        try self.init(spooling: input, in: folder, name: name, longest: longest)
    }

    init(
        spooling input: borrowing FileDescriptor, in folder: String, name: String, longest: UInt64
    ) throws(LocalFileError) {
        let file = try SpoolFile.copy(input, in: folder, longest: longest, through: chunks)
        self.name = name
        path = "-"
        length = file.opened.byteCount
        content = .file(file)
    }

    /// Fills `buffer` with the bytes from `offset` on.
    ///
    /// Throws ``LocalFileError/Kind/changed`` if the file is not the one that was opened any more.
    /// Precondition: offset and size lie within ``length``.
    public func read(
        at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer
    ) throws(LocalFileError) {
        precondition(
            offset <= length && UInt64(buffer.count) <= length - offset, "beyond the source")
        switch content {
        case .bytes(let bytes):
            let start = Int(offset)
            bytes.withUnsafeBytes {
                buffer.copyMemory(from: .init(rebasing: $0[start..<start + buffer.count]))
            }
        case .file(let file):
            let count = try LocalFileError.when("cannot read \(path)", path: path) {
                () throws(SystemError) in try file.descriptor.read(into: buffer, at: offset)
            }
            if count < buffer.count { throw changed("it has become shorter") }
            try compareStatus(of: file)
        }
    }

    /// The SHA-256 of all bytes. The first call reads the file once; later ones remember.
    public func digest() throws(LocalFileError) -> Digest {
        if let knownDigest { return knownDigest }
        let digest = try computeDigest()
        if case .file(let file) = content { try compareStatus(of: file) }
        knownDigest = digest
        return digest
    }

    /// The CRC-32 of the bytes before `offset`; nil if there are not so many.
    public func prefixCheck(upTo offset: UInt64) throws(LocalFileError) -> UInt32? {
        guard offset <= length else { return nil }
        var crc = CRC32()
        try stream(upTo: offset) { crc.update($0.bytes) }
        return crc.value
    }

    /// Throws ``LocalFileError/Kind/changed`` unless the path still leads to the file that was
    /// opened, with the same bytes as far as its length and times tell. To be called before what
    /// was sent is made permanent.
    public func verifyUnchanged() throws(LocalFileError) {
        guard case .file(let file) = content else { return }
        try compareStatus(of: file)
        guard file.hasName else { return }
        let now: LocalFileStatus
        do throws(SystemError) {
            now = try System.status(at: path, followingLink: true)
        } catch {
            guard error.number == ENOENT || error.number == ENOTDIR else {
                throw LocalFileError(error, "cannot check \(path)", path: path)
            }
            throw changed("it is no longer there")
        }
        if !now.isSameFile(as: file.opened) { throw changed("another file has taken its place") }
    }
}

extension UploadSource {
    private enum Content {
        case bytes([UInt8])
        case file(OpenedFile)
    }

    private func stream(
        upTo offset: UInt64, _ body: (UnsafeRawBufferPointer) -> Void
    ) throws(LocalFileError) {
        switch content {
        case .bytes(let bytes):
            bytes.withUnsafeBytes { body(.init(rebasing: $0[..<Int(offset)])) }
        case .file(let file):
            let count = try LocalFileError.when("cannot read \(path)", path: path) {
                () throws(SystemError) in
                try chunks.stream(file.descriptor, upTo: offset, body)
            }
            if count < offset { throw changed("it has become shorter") }
        }
    }

    private func computeDigest() throws(LocalFileError) -> Digest {
        var sha256 = SHA256()
        try stream(upTo: length) { sha256.update($0) }
        return sha256.value
    }

    /// Holds length and times against those at opening.
    ///
    /// The change time also moves when the file only gets another name or other rights. Then its
    /// bytes decide, if their digest is known already.
    private func compareStatus(of file: OpenedFile) throws(LocalFileError) {
        let now = try LocalFileError.when("cannot check \(path)", path: path) {
            () throws(SystemError) in try System.status(of: file.descriptor.rawValue)
        }
        if now.byteCount < length { throw changed("it has become shorter") }
        if now.byteCount > length { throw changed("it has become longer") }
        if now.modified != file.latest.modified { throw changed("it was written to") }
        guard now.changed != file.latest.changed else { return }
        guard let knownDigest, try computeDigest() == knownDigest else {
            throw changed("it was written to")
        }
        file.latest = now
    }

    private func changed(_ why: String) -> LocalFileError {
        LocalFileError(
            .changed, path: path, what: "\(path) changed while it was sent", why: why,
            advice: "let whatever writes it finish, then run the command again")
    }
}

// All system calls of the device half, one thin function each. Everything else in this target is
// arithmetic.

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A system call that failed.
public struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The name of the call.
    public let call: String
    /// The value of `errno` after it.
    public let code: Int32

    /// An error that a call left in `errno`.
    public init(call: String, code: Int32) {
        self.call = call
        self.code = code
    }

    /// The call and the system's own words for the code.
    public var description: String {
        var words = [CChar](repeating: 0, count: 256)
        _ = strerror_r(code, &words, words.count)
        let text = words.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        return "\(call): \(String(decoding: text, as: UTF8.self))"
    }

    /// There is no such file or directory (`ENOENT`).
    var isNotFound: Bool { code == ENOENT }
    /// Something of that name is there already (`EEXIST`).
    var isExisting: Bool { code == EEXIST }
    /// Another process holds the lock (`EWOULDBLOCK`).
    var isLocked: Bool { code == EWOULDBLOCK }
    /// No room, or no quota (`ENOSPC`, `EDQUOT`), or a file larger than the system allows
    /// (`EFBIG`).
    var isNoSpace: Bool { code == ENOSPC || code == EDQUOT || code == EFBIG }
    /// The system forbids it (`EACCES`, `EPERM`, `EROFS`).
    var isDenied: Bool { code == EACCES || code == EPERM || code == EROFS }
    /// It is a link, a directory or a device where a file was expected (`ELOOP`, `EISDIR`, `ENXIO`,
    /// `ENOTDIR`).
    var isNotRegular: Bool {
        code == ELOOP || code == EISDIR || code == ENXIO || code == ENOTDIR
    }
}

/// A file descriptor that is closed when nothing refers to it any more.
final class OpenFile: Sendable {
    let descriptor: Int32

    init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    deinit {
        // A child process between its fork and its exec has a copy of the descriptor, and would
        // keep a lock that is only closed.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }
}

/// How a file is opened. Links are never followed where a directory is given, and nothing waits for
/// a FIFO's other end.
enum OpenMode {
    /// An existing file, to read.
    case read
    /// An existing file, to read and write.
    case update
    /// A new and empty file, or an existing one made empty.
    case create
    /// A directory, whose last component may be a link: the user's own choice of a root.
    case rootDirectory
    /// A directory that is no link.
    case directory

    var flags: Int32 {
        switch self {
        case .read: O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
        case .update: O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
        case .create: O_RDWR | O_CREAT | O_TRUNC | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
        case .rootDirectory: O_RDONLY | O_DIRECTORY | O_CLOEXEC
        case .directory: O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
        }
    }
}

/// What the system says of a file.
struct SystemFileStatus: Hashable {
    let isRegular: Bool
    let size: Int
    /// Seconds since 1970.
    let modificationSeconds: Int

    fileprivate init(_ status: stat) {
        isRegular = status.st_mode & S_IFMT == S_IFREG
        size = Int(status.st_size)
        #if canImport(Darwin)
            modificationSeconds = status.st_mtimespec.tv_sec
        #else
            modificationSeconds = status.st_mtim.tv_sec
        #endif
    }
}

/// The system calls themselves.
enum System {
    /// Opens a path, relative to a directory or, without one, to the working directory.
    static func open(
        _ path: String, in directory: OpenFile? = nil, _ mode: OpenMode
    ) throws(SystemError) -> OpenFile {
        let base = directory?.descriptor ?? AT_FDCWD
        let descriptor = try repeating("open") { Int(openat(base, path, mode.flags, 0o644)) }
        return OpenFile(descriptor: Int32(descriptor))
    }

    /// Reads from `offset` on until `buffer` is full or the file ends; answers how many bytes there
    /// were.
    static func read(
        _ file: OpenFile, at offset: Int, into buffer: UnsafeMutableRawBufferPointer
    ) throws(SystemError) -> Int {
        var done = 0
        while done < buffer.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
            let count = try repeating("pread") {
                pread(file.descriptor, rest.baseAddress, rest.count, off_t(offset + done))
            }
            if count == 0 { break }
            done += count
        }
        return done
    }

    /// Writes all of `bytes` from `offset` on.
    static func write(
        _ file: OpenFile, _ bytes: UnsafeRawBufferPointer, at offset: Int
    ) throws(SystemError) {
        var done = 0
        while done < bytes.count {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[done...])
            done += try repeating("pwrite") {
                pwrite(file.descriptor, rest.baseAddress, rest.count, off_t(offset + done))
            }
        }
    }

    /// Waits until the file's bytes are on the disk.
    static func sync(_ file: OpenFile) throws(SystemError) {
        _ = try repeating("fsync") { Int(fsync(file.descriptor)) }
    }

    /// Takes the file's exclusive lock, without waiting. The lock ends with the descriptor.
    static func lock(_ file: OpenFile) throws(SystemError) {
        _ = try repeating("flock") { Int(flock(file.descriptor, LOCK_EX | LOCK_NB)) }
    }

    /// What the system says of an open file.
    static func status(_ file: OpenFile) throws(SystemError) -> SystemFileStatus {
        var status = stat()
        _ = try repeating("fstat") { Int(fstat(file.descriptor, &status)) }
        return SystemFileStatus(status)
    }

    /// What the system says of a name in a directory; of a link itself, not of where it leads.
    static func status(
        _ name: String, in directory: OpenFile? = nil
    ) throws(SystemError) -> SystemFileStatus {
        let base = directory?.descriptor ?? AT_FDCWD
        var status = stat()
        _ = try repeating("fstatat") { Int(fstatat(base, name, &status, AT_SYMLINK_NOFOLLOW)) }
        return SystemFileStatus(status)
    }

    /// Gives a file a new place, atomically; what was there is gone.
    static func rename(
        _ name: String, in directory: OpenFile? = nil, to newName: String,
        in newDirectory: OpenFile? = nil
    ) throws(SystemError) {
        let base = directory?.descriptor ?? AT_FDCWD
        let newBase = newDirectory?.descriptor ?? AT_FDCWD
        _ = try repeating("rename") { Int(renameat(base, name, newBase, newName)) }
    }

    /// Removes a file's name.
    static func remove(_ name: String, in directory: OpenFile) throws(SystemError) {
        _ = try repeating("unlink") { Int(unlinkat(directory.descriptor, name, 0)) }
    }

    /// Makes a directory; one that is there already is fine.
    static func makeDirectory(
        _ path: String, in directory: OpenFile? = nil
    ) throws(SystemError) {
        do throws(SystemError) {
            let base = directory?.descriptor ?? AT_FDCWD
            _ = try repeating("mkdir") { Int(mkdirat(base, path, 0o755)) }
        } catch {
            if !error.isExisting { throw error }
        }
    }

    /// Hands over the raw name of every entry of a directory, in no order.
    static func forEachName(
        in directory: OpenFile, _ body: (UnsafeRawBufferPointer) -> Void
    ) throws(SystemError) {
        // A descriptor of its own: the stream's position would else be shared by all users of the
        // directory.
        let own = try repeating("open") {
            Int(openat(directory.descriptor, ".", OpenMode.rootDirectory.flags, 0))
        }
        guard let stream = fdopendir(Int32(own)) else {
            let code = errno
            close(Int32(own))
            throw SystemError(call: "fdopendir", code: code)
        }
        defer { closedir(stream) }
        errno = 0
        while let entry = readdir(stream) {
            withUnsafeBytes(of: &entry.pointee.d_name) { field in
                let length = field.firstIndex(of: 0) ?? field.count
                body(UnsafeRawBufferPointer(rebasing: field[..<length]))
            }
            errno = 0
        }
        if errno != 0 { throw SystemError(call: "readdir", code: errno) }
    }

    /// Repeats a call that a signal interrupted (`EINTR`), and turns -1 into an error.
    private static func repeating(
        _ call: String, _ body: () -> Int
    ) throws(SystemError) -> Int {
        while true {
            let result = body()
            if result >= 0 { return result }
            let code = errno
            if code != EINTR { throw SystemError(call: call, code: code) }
        }
    }
}

/// Whether two runs of bytes are equal, by `memcmp`.
func equalBytes(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Bool {
    guard left.count == right.count else { return false }
    guard let leftBase = left.baseAddress, let rightBase = right.baseAddress else { return true }
    return memcmp(leftBase, rightBase, left.count) == 0
}

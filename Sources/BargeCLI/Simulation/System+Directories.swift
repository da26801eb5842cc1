#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The system calls of the simulated devices' files.
extension System {
    /// What a path leads to, without following a link in its last component.
    enum Entry: Equatable, Sendable {
        case nothing, directory, other
    }

    static func entry(at path: String) throws(SystemFailure) -> Entry {
        var status = stat()
        if lstat(path, &status) != 0 {
            if errno == ENOENT { return .nothing }
            throw SystemFailure(errorNumber: errno)
        }
        return status.st_mode & S_IFMT == S_IFDIR ? .directory : .other
    }

    /// Makes a directory and those above it; what is there already is fine.
    ///
    /// - Parameter mode: for this user alone if missing, as the XDG Base Directory Specification
    ///   has it for what is not the user's own work.
    static func makeDirectories(_ path: String, mode: mode_t = 0o700) throws(SystemFailure) {
        if mkdir(path, mode) == 0 || errno == EEXIST { return }
        guard errno == ENOENT, let slash = path.lastIndex(of: "/"), slash > path.startIndex else {
            throw SystemFailure(errorNumber: errno)
        }
        try makeDirectories(String(path[..<slash]), mode: mode)
        if mkdir(path, mode) != 0, errno != EEXIST { throw SystemFailure(errorNumber: errno) }
    }

    /// The names in a directory, in order, without `.` and `..`; none where there is no directory.
    static func names(in path: String) throws(SystemFailure) -> [String] {
        guard let stream = opendir(path) else {
            if errno == ENOENT { return [] }
            throw SystemFailure(errorNumber: errno)
        }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { field in
                String(decoding: field.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    /// Removes a file, or a directory with all that is in it. Links are removed, never followed.
    static func removeAll(_ path: String) throws(SystemFailure) {
        switch try entry(at: path) {
        case .nothing: return
        case .other:
            if unlink(path) != 0, errno != ENOENT { throw SystemFailure(errorNumber: errno) }
        case .directory:
            for name in try names(in: path) { try removeAll(path + "/" + name) }
            if rmdir(path) != 0, errno != ENOENT { throw SystemFailure(errorNumber: errno) }
        }
    }

    static func move(_ path: String, to newPath: String) throws(SystemFailure) {
        if rename(path, newPath) != 0 { throw SystemFailure(errorNumber: errno) }
    }

    /// The first bytes of a regular file, `limit` of them at most; nil where there is no file.
    static func contents(of path: String, limit: Int) throws(SystemFailure) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        if descriptor < 0 {
            if errno == ENOENT { return nil }
            throw SystemFailure(errorNumber: errno)
        }
        defer { close(descriptor) }
        var bytes: [UInt8] = Array(repeating: 0, count: limit)
        var count = 0
        while count < limit {
            let added = bytes.withUnsafeMutableBytes { buffer in
                read(descriptor, buffer.baseAddress?.advanced(by: count), limit - count)
            }
            if added == 0 { break }
            if added < 0, errno != EINTR { throw SystemFailure(errorNumber: errno) }
            count += max(0, added)
        }
        return Array(bytes.prefix(count))
    }

    /// Replaces a file whole or not at all, as far as this process can fail; against a failure of
    /// the computer a simulated device does not guard.
    static func replace(_ path: String, with text: String) throws(SystemFailure) {
        let draft = path + ".new"
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw SystemFailure(errorNumber: errno) }
        let outcome = LineWriter(descriptor: descriptor).write(text)
        close(descriptor)
        switch outcome {
        case .complete: try move(draft, to: path)
        case .closed: throw SystemFailure(errorNumber: EPIPE)
        case .failed(let number): throw SystemFailure(errorNumber: number)
        }
    }

    // MARK: Locks

    /// Opens the file of a lock, and makes it if need be.
    static func openLock(_ path: String) throws(SystemFailure) -> Int32 {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw SystemFailure(errorNumber: errno) }
        return descriptor
    }

    /// Opens the file of a lock to see who has it; nil where there is none.
    static func openToLook(_ path: String) -> Int32? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        return descriptor < 0 ? nil : descriptor
    }

    /// Takes an exclusive lock without waiting; false where another process has it.
    static func tryLock(_ descriptor: Int32) throws(SystemFailure) -> Bool {
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            if errno == EWOULDBLOCK { return false }
            if errno != EINTR { throw SystemFailure(errorNumber: errno) }
        }
        return true
    }

    /// Waits for an exclusive lock.
    static func waitForLock(_ descriptor: Int32) throws(SystemFailure) {
        while flock(descriptor, LOCK_EX) != 0 {
            if errno != EINTR { throw SystemFailure(errorNumber: errno) }
        }
    }

    /// Whether a path still leads to the file behind a descriptor.
    static func isSameFile(_ descriptor: Int32, _ path: String) -> Bool {
        var (open, named) = (stat(), stat())
        return fstat(descriptor, &open) == 0 && lstat(path, &named) == 0
            && open.st_ino == named.st_ino && open.st_dev == named.st_dev
    }

    /// Makes a short file hold nothing but a text.
    static func overwrite(_ descriptor: Int32, with text: String) {
        _ = ftruncate(descriptor, 0)
        var text = text
        _ = text.withUTF8 { pwrite(descriptor, $0.baseAddress, $0.count, 0) }
    }

    /// What a short file says.
    static func shortText(_ descriptor: Int32) -> String {
        var bytes: [UInt8] = Array(repeating: 0, count: 64)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }

    /// A lock goes at once: a child process between its fork and its exec has a copy of the
    /// descriptor, and would keep what is only closed.
    static func closeDescriptor(_ descriptor: Int32) {
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    static var processID: Int32 { getpid() }
}

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The system calls of this library, one thin function each: interrupted calls are repeated, and a
/// failure is a ``SystemError``. Nobody else in the library calls the system.
///
/// In debug builds ``FaultScript/current`` may make any of them fail, so that tests see a full disk
/// without one.
enum System {
    // MARK: Open files

    /// Opens a file; the descriptor is closed on exec. `mode` counts where a file is created.
    static func openFile(
        _ path: String, flags: Int32, mode: mode_t = 0
    ) throws(SystemError) -> Int32 {
        try refuseNUL(path)
        return try call(.open) { open(path, flags | O_CLOEXEC, mode) }
    }

    /// Closes a descriptor. Not repeated: after EINTR the descriptor is gone or another's.
    static func closeFile(_ descriptor: Int32) {
        // A child process between its fork and its exec has a copy of the descriptor, and would
        // keep a lock that is only closed.
        flock(descriptor, LOCK_UN)
        _ = close(descriptor)
    }

    /// Reads at `offset`; 0 is the end of the file.
    static func readBytes(
        _ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64
    ) throws(SystemError) -> Int {
        try call(.read) { pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset)) }
    }

    /// Reads what comes next; 0 is the end of the stream.
    static func readStream(
        _ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer
    ) throws(SystemError) -> Int {
        try call(.read) { read(descriptor, buffer.baseAddress, buffer.count) }
    }

    /// Writes at `offset`, perhaps less than all.
    static func writeBytes(
        _ descriptor: Int32, _ bytes: UnsafeRawBufferPointer, at offset: UInt64
    ) throws(SystemError) -> Int {
        let count = faultCap(.write, bytes.count)
        return try call(.write) { pwrite(descriptor, bytes.baseAddress, count, off_t(offset)) }
    }

    /// Writes what comes next, perhaps less than all. A reader that went away is EPIPE and no
    /// signal, whatever the program has arranged.
    static func writeStream(
        _ descriptor: Int32, _ bytes: UnsafeRawBufferPointer
    ) throws(SystemError) -> Int {
        let count = faultCap(.write, bytes.count)
        return try call(.write) {
            withoutPipeSignal { write(descriptor, bytes.baseAddress, count) }
        }
    }

    /// Waits until a descriptor that does not block can be read or written.
    static func awaitReadiness(_ descriptor: Int32, toWrite: Bool) throws(SystemError) {
        var request = pollfd(
            fd: descriptor, events: Int16(toWrite ? POLLOUT : POLLIN), revents: 0)
        _ = try call(.poll) { poll(&request, 1, -1) }
    }

    /// Cuts or extends a file.
    static func setLength(_ descriptor: Int32, _ byteCount: UInt64) throws(SystemError) {
        _ = try call(.truncate) { ftruncate(descriptor, off_t(byteCount)) }
    }

    /// Returns when everything written is on the medium, as far as the system knows.
    static func synchronize(_ descriptor: Int32) throws(SystemError) {
        _ = try call(.synchronize) { fsync(descriptor) }
    }

    /// Takes the lock of an open file, or fails at once with EWOULDBLOCK.
    static func lockExclusively(_ descriptor: Int32) throws(SystemError) {
        _ = try call(.lock) { flock(descriptor, LOCK_EX | LOCK_NB) }
    }

    /// Takes the lock of an open file, waiting while another has it. The system gives up the lock
    /// of a process that ends, however it ends.
    static func awaitLock(_ descriptor: Int32) throws(SystemError) {
        _ = try call(.lock) { flock(descriptor, LOCK_EX) }
    }

    // MARK: What a file is

    /// The status of an open file.
    static func status(of descriptor: Int32) throws(SystemError) -> LocalFileStatus {
        var raw = stat()
        _ = try call(.status) { fstat(descriptor, &raw) }
        return LocalFileStatus(raw)
    }

    /// The status of what a path leads to.
    static func status(
        at path: String, followingLink: Bool
    ) throws(SystemError) -> LocalFileStatus {
        try refuseNUL(path)
        var raw = stat()
        _ = try call(.status) { followingLink ? stat(path, &raw) : lstat(path, &raw) }
        return LocalFileStatus(raw)
    }

    /// Fails where the user may not create files in this folder.
    static func checkWritable(folder path: String) throws(SystemError) {
        try refuseNUL(path)
        _ = try call(.access) { access(path, W_OK | X_OK) }
    }

    // MARK: Names

    /// Gives a file another name, in place of whatever has that name.
    static func renameFile(_ path: String, to newPath: String) throws(SystemError) {
        try refuseNUL(newPath)
        _ = try call(.rename) { rename(path, newPath) }
    }

    /// Gives a file one more name; fails with EEXIST where that name is taken.
    static func linkFile(_ path: String, as newPath: String) throws(SystemError) {
        try refuseNUL(newPath)
        _ = try call(.link) { link(path, newPath) }
    }

    /// Takes a name away.
    static func removeFile(_ path: String) throws(SystemError) {
        try refuseNUL(path)
        _ = try call(.remove) { unlink(path) }
    }

    /// Creates a folder.
    static func makeFolder(_ path: String, mode: mode_t) throws(SystemError) {
        try refuseNUL(path)
        _ = try call(.makeFolder) { mkdir(path, mode) }
    }

    /// The names in a folder, without `.` and `..`, in no order.
    static func names(inFolder path: String) throws(SystemError) -> [String] {
        try refuseNUL(path)
        _ = try call(.list) { 0 as Int32 }
        guard let folder = opendir(path) else { throw SystemError(errno) }
        defer { closedir(folder) }
        var names: [String] = []
        errno = 0
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
            errno = 0
        }
        guard errno == 0 else { throw SystemError(errno) }
        return names
    }

    // MARK: The process

    /// The folder that relative paths start from.
    static func currentFolder() throws(SystemError) -> String {
        _ = try call(.status) { 0 as Int32 }
        guard let path = getcwd(nil, 0) else { throw SystemError(errno) }
        defer { free(path) }
        return String(cString: path)
    }

    /// The process's number.
    static func processID() -> Int32 { getpid() }

    /// Whether there is a process of that number; true as well where that cannot be told.
    static func isRunning(processID: Int32) -> Bool {
        processID <= 0 || kill(processID, 0) == 0 || errno != ESRCH
    }

    /// The home of the user according to the system's own list; nil where there is none.
    static func homeFolderOfUser() -> String? {
        var record = passwd()
        var found: UnsafeMutablePointer<passwd>?
        var text = [CChar](repeating: 0, count: longestUserRecord)
        let code = getpwuid_r(getuid(), &record, &text, text.count, &found)
        guard code == 0, let found, let home = found.pointee.pw_dir else { return nil }
        return String(cString: home)
    }

    /// The system's words for an error number.
    static func message(for number: Int32) -> String {
        guard let text = strerror(number) else { return "error \(number)" }
        return String(cString: text)
    }

    private static let longestUserRecord = 16384
}

extension System {
    /// Repeats an interrupted call; turns -1 into an error.
    private static func call<Value: SignedInteger>(
        _ name: SystemCall, _ body: () -> Value
    ) throws(SystemError) -> Value {
        while true {
            if let number = injectedFault(name) {
                if number == EINTR { continue }
                throw SystemError(number)
            }
            let value = body()
            if value >= 0 { return value }
            let number = errno
            if number != EINTR { throw SystemError(number) }
        }
    }

    /// A path with NUL inside would be cut there by C, and lead somewhere else.
    private static func refuseNUL(_ path: String) throws(SystemError) {
        if path.utf8.contains(0) { throw SystemError(EINVAL) }
    }

    private static func injectedFault(_ name: SystemCall) -> Int32? {
        #if DEBUG
            return FaultScript.current?.fault(in: name)
        #else
            return nil
        #endif
    }

    private static func faultCap(_ name: SystemCall, _ count: Int) -> Int {
        #if DEBUG
            return FaultScript.current?.cap(in: name, count) ?? count
        #else
            return count
        #endif
    }

    /// Holds SIGPIPE back in this thread while `body` runs, and swallows the one that it caused.
    private static func withoutPipeSignal(_ body: () -> Int) -> Int {
        #if canImport(Darwin)
            // Darwin has no sigtimedwait: the pending one is taken by sigwait, which returns at
            // once because EPIPE means that it is there.
            func takePending(_ set: inout sigset_t) {
                var taken: Int32 = 0
                sigwait(&set, &taken)
            }
        #else
            func takePending(_ set: inout sigset_t) {
                var now = timespec()
                _ = sigtimedwait(&set, nil, &now)
            }
        #endif
        var pipeSignal = sigset_t()
        var pending = sigset_t()
        var before = sigset_t()
        sigemptyset(&pipeSignal)
        sigaddset(&pipeSignal, SIGPIPE)
        sigpending(&pending)
        let wasPending = sigismember(&pending, SIGPIPE) == 1
        pthread_sigmask(SIG_BLOCK, &pipeSignal, &before)
        let result = body()
        let number = errno
        if result < 0, number == EPIPE, !wasPending {
            sigpending(&pending)
            if sigismember(&pending, SIGPIPE) == 1 { takePending(&pipeSignal) }
        }
        pthread_sigmask(SIG_SETMASK, &before, nil)
        errno = number
        return result
    }
}

extension System {
    /// Seconds since 1970-01-01T00:00Z.
    static func secondsSince1970() -> UInt64 {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        return UInt64(max(0, now.tv_sec))
    }
}

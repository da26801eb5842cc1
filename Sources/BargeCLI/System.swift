import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Where the handler of `System.endingSignals` writes to.
private let signalPipe = Atomic<Int32>(-1)

/// Every system call of the command line, one thin function each.
enum System {
    /// What one call of `write` did.
    enum WriteOutcome: Equatable, Sendable {
        case wrote(Int)
        /// A signal came first (`EINTR`).
        case interrupted
        /// The descriptor does not block and is full (`EAGAIN`).
        case full
        /// Nobody reads any more (`EPIPE`).
        case closed
        case failed(errorNumber: Int32)
    }

    static func writeOnce(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> WriteOutcome {
        let count = write(descriptor, bytes.baseAddress, bytes.count)
        if count >= 0 { return .wrote(count) }
        switch errno {
        case EINTR: return .interrupted
        case EAGAIN: return .full
        case EPIPE: return .closed
        case let number: return .failed(errorNumber: number)
        }
    }

    /// Waits until a full descriptor takes bytes again, or has an error to report.
    static func waitUntilWritable(_ descriptor: Int32) {
        var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = poll(&entry, 1, -1)
    }

    /// Opens a file for appending, makes it if need be, and keeps it from child processes.
    ///
    /// - Throws: the error number.
    static func openForAppending(_ path: String) throws(SystemFailure) -> Int32 {
        while true {
            let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
            if descriptor >= 0 { return descriptor }
            if errno != EINTR { throw SystemFailure(errorNumber: errno) }
        }
    }

    /// Points those of the three standard descriptors that are closed at `/dev/null`.
    ///
    /// Otherwise the next file that is opened would get the number of standard output, and be
    /// written over by it.
    static func occupyStandardDescriptors() {
        for descriptor: Int32 in 0...2 where fcntl(descriptor, F_GETFD) == -1 {
            let null = open("/dev/null", O_RDWR)
            if null >= 0, null != descriptor {
                dup2(null, descriptor)
                close(null)
            }
        }
    }

    /// How many files this process may have open at once, after raising that as far as the system
    /// lets it: shells start programs with a soft limit that is far below.
    static func raiseOpenFileLimit() -> Int {
        #if canImport(Glibc)
            let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #else
            let resource = RLIMIT_NOFILE
        #endif
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0 else { return mostOpenFiles }
        let wanted = min(limit.rlim_max, rlim_t(mostOpenFiles))
        if limit.rlim_cur < wanted {
            var raised = limit
            raised.rlim_cur = wanted
            if setrlimit(resource, &raised) == 0 { limit = raised }
        }
        return Int(min(limit.rlim_cur, rlim_t(mostOpenFiles)))
    }

    /// More than any command needs, and no more than macOS grants whatever its hard limit says.
    private static let mostOpenFiles = 10_240

    static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

    /// The columns of the terminal behind a descriptor, if it is one and knows them.
    static func terminalColumns(_ descriptor: Int32) -> Int? {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }

    /// The rows of the terminal behind a descriptor, if it is one and knows them.
    static func terminalRows(_ descriptor: Int32) -> Int? {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_row > 0 else { return nil }
        return Int(size.ws_row)
    }

    static func environment(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }
    }

    /// The words of the command line; `nil` stands for one that is not UTF-8, with its repair.
    static func commandLine() -> [(text: String, isText: Bool)] {
        (0..<Int(CommandLine.argc)).compactMap { index in
            guard let word = CommandLine.unsafeArgv[index] else { return nil }
            let isText = String(validatingCString: word) != nil
            return (String(cString: word), isText)
        }
    }

    static func message(for errorNumber: Int32) -> String {
        strerror(errorNumber).map { String(cString: $0) } ?? "error \(errorNumber)"
    }

    /// The sort of an error number that an operation on a file left behind.
    static func kind(ofFileError errorNumber: Int32) -> FileErrorKind {
        switch errorNumber {
        case ENOENT, ENOTDIR: .missing
        case EACCES, EPERM: .denied
        case EROFS: .readOnly
        case ENOSPC, EDQUOT, EFBIG: .full
        case EISDIR: .directory
        case EMFILE, ENFILE: .tooMany
        case _: .other
        }
    }

    /// The time of day in UTC, as ISO 8601 has it: `2026-01-31T12:00:00.000Z`.
    static func timestamp() -> String {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        var parts = tm()
        gmtime_r(&now.tv_sec, &parts)
        let date = [
            padded(Int(parts.tm_year) + 1900, 4), padded(Int(parts.tm_mon) + 1, 2),
            padded(Int(parts.tm_mday), 2),
        ].joined(separator: "-")
        let time = [parts.tm_hour, parts.tm_min, parts.tm_sec].map { padded(Int($0), 2) }
        return "\(date)T\(time.joined(separator: ":")).\(padded(now.tv_nsec / 1_000_000, 3))Z"
    }

    /// Seconds since 1970-01-01T00:00Z.
    static func secondsSince1970() -> UInt64 {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        return UInt64(max(0, now.tv_sec))
    }

    /// A path from the root on; the path itself where the current directory is gone.
    static func absolutePath(_ path: String) -> String {
        guard !path.hasPrefix("/"), let here = getcwd(nil, 0) else { return path }
        defer { free(here) }
        return String(cString: here) + "/" + path
    }

    /// Has a write to a closed pipe report `EPIPE` instead of killing the process.
    static func ignoreBrokenPipes() { signal(SIGPIPE, SIG_IGN) }

    /// Whether whoever started us wants a signal ignored, as `nohup` does.
    static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        guard sigaction(number, nil, &action) == 0 else { return false }
        #if canImport(Darwin)
            let handler = action.__sigaction_u.__sa_handler
        #else
            let handler = action.__sigaction_handler.sa_handler
        #endif
        // Pointers to functions cannot be compared in Swift; as numbers they can.
        return unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    }

    /// Has each of the signals that ask a process to end write a byte into a pipe.
    ///
    /// Signals that whoever started us wants ignored, as `nohup` does, stay ignored.
    ///
    /// - Returns: the end of the pipe to read from, which does not block.
    static func endingSignals() throws(SystemFailure) -> Int32 {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw SystemFailure(errorNumber: errno) }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        signalPipe.store(ends[1], ordering: .sequentiallyConsistent)
        for number in [SIGINT, SIGTERM, SIGHUP] where !isIgnored(number) {
            // `signal` restarts interrupted calls on glibc, musl and Darwin alike.
            signal(number) { _ in
                // Nothing but what signal-safety(7) allows: an atomic load and a write.
                let errorNumber = errno
                var byte: UInt8 = 0
                _ = write(signalPipe.load(ordering: .sequentiallyConsistent), &byte, 1)
                errno = errorNumber
            }
        }
        return ends[0]
    }

    /// How many bytes are in the pipe, which empties it. 16 at most: nobody hits Ctrl-C so often.
    static func drain(_ descriptor: Int32) -> Int {
        var bytes: [UInt8] = Array(repeating: 0, count: 16)
        return max(0, read(descriptor, &bytes, bytes.count))
    }

    /// The next byte of what can be read now; nil at its end, and where it cannot be read.
    static func readByte(_ descriptor: Int32) -> UInt8? {
        var byte: UInt8 = 0
        while true {
            let count = read(descriptor, &byte, 1)
            if count == 1 { return byte }
            guard count < 0, errno == EINTR else { return nil }
        }
    }

    /// Ends the process now, without running what `atexit` has registered.
    static func exitAtOnce(_ code: ExitCode) -> Never { _exit(code.rawValue) }

    /// Ends the process.
    static func end(_ code: ExitCode) -> Never { exit(code.rawValue) }

    private static func padded(_ number: Int, _ digits: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }
}

/// A system call failed.
struct SystemFailure: Error, Equatable {
    let errorNumber: Int32

    /// The system's own sentence, without a full stop.
    var message: String { System.message(for: errorNumber) }
}

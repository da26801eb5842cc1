#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

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

    static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> WriteOutcome {
        #if canImport(Darwin)
            let count = Darwin.write(descriptor, bytes.baseAddress, bytes.count)
        #elseif canImport(Musl)
            let count = Musl.write(descriptor, bytes.baseAddress, bytes.count)
        #else
            let count = Glibc.write(descriptor, bytes.baseAddress, bytes.count)
        #endif
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

    static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

    /// The columns of the terminal behind a descriptor, if it is one and knows them.
    static func terminalColumns(_ descriptor: Int32) -> Int? {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
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
        return unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    }

    /// The signals that ask a process to end.
    static let endingSignals = [SIGINT, SIGTERM, SIGHUP]

    /// Takes the default away from a signal, so that a dispatch source alone hears of it.
    ///
    /// On Darwin the source listens with kqueue, beside the default action, which would end the
    /// process. On Linux dispatch installs a handler of its own and hears nothing of signals
    /// that are ignored.
    static func leaveToDispatch(_ number: Int32) {
        #if canImport(Darwin)
            signal(number, SIG_IGN)
        #endif
    }

    /// Ends the process now, without running what `atexit` has registered.
    static func exitAtOnce(_ code: ExitCode) -> Never { _exit(code.rawValue) }

    static func exit(_ code: ExitCode) -> Never {
        #if canImport(Darwin)
            Darwin.exit(code.rawValue)
        #elseif canImport(Musl)
            Musl.exit(code.rawValue)
        #else
            Glibc.exit(code.rawValue)
        #endif
    }

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

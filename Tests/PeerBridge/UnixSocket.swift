#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The system calls of the bridge.
enum UnixSocket {
    struct Failure: Error, CustomStringConvertible {
        let description: String

        init(_ call: String) {
            description = "\(call) failed: \(String(cString: strerror(errno)))"
        }
    }

    /// A socket that takes connections at a path.
    static func listen(at path: String) throws -> Int32 {
        let descriptor = try make()
        let bound = withAddress(of: path) { bind(descriptor, $0, $1) }
        guard bound == 0, systemListen(descriptor, 8) == 0 else { throw Failure("bind") }
        makeNonBlocking(descriptor)
        return descriptor
    }

    /// A connection to whoever listens at a path.
    static func connect(to path: String) throws -> Int32 {
        let descriptor = try make()
        guard withAddress(of: path, { systemConnect(descriptor, $0, $1) }) == 0 else {
            close(descriptor)
            throw Failure("connect")
        }
        return descriptor
    }

    /// The next connection, or nil where nobody knocks.
    static func accept(_ listener: Int32) -> Int32? {
        let descriptor = systemAccept(listener, nil, nil)
        return descriptor >= 0 ? descriptor : nil
    }

    /// What is there; empty at the end of the stream, nil where nothing is there now.
    static func receive(_ descriptor: Int32) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: 8192)
        let count = bytes.withUnsafeMutableBytes { recv(descriptor, $0.baseAddress, $0.count, 0) }
        if count < 0 { return errno == EAGAIN || errno == EINTR ? nil : [] }
        return Array(bytes.prefix(count))
    }

    /// How many bytes the system took.
    static func send(_ bytes: [UInt8], to descriptor: Int32) -> Int {
        bytes.withUnsafeBytes {
            max(0, systemSend(descriptor, $0.baseAddress, $0.count, sendFlags))
        }
    }

    static func makeNonBlocking(_ descriptor: Int32) {
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    }

    static func close(_ descriptor: Int32) { _ = systemClose(descriptor) }

    /// Waits until one of these can be read, or written where that is asked for; false at the end
    /// of the time. Nil waits without end.
    @discardableResult
    static func wait(
        _ interests: [(descriptor: Int32, read: Bool, write: Bool)], milliseconds: Int?
    )
        -> Bool
    {
        var polled = interests.map {
            pollfd(
                fd: $0.descriptor, events: Int16(($0.read ? POLLIN : 0) | ($0.write ? POLLOUT : 0)),
                revents: 0)
        }
        let time = Int32(clamping: milliseconds ?? -1)
        return poll(&polled, numericCast(polled.count), time) > 0
    }

    /// Microseconds of the monotonic clock.
    static var now: UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000 + UInt64(time.tv_nsec) / 1000
    }

    private static func make() throws -> Int32 {
        #if os(Linux)
            let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        #else
            let descriptor = socket(AF_UNIX, SOCK_STREAM, 0)
            var on: Int32 = 1
            setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &on, socklen_t(4))
        #endif
        guard descriptor >= 0 else { throw Failure("socket") }
        return descriptor
    }

    private static func withAddress<Result>(
        of path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { field in
            precondition(path.utf8.count < field.count, "the path of a socket is short")
            field.copyBytes(from: path.utf8)
        }
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        return withUnsafeBytes(of: &address) { bytes in
            bytes.withMemoryRebound(to: sockaddr.self) { rebound in
                guard let base = rebound.baseAddress else { preconditionFailure("not empty") }
                return body(base, size)
            }
        }
    }
}

#if os(Linux)
    private let sendFlags = Int32(MSG_NOSIGNAL)
#else
    private let sendFlags: Int32 = 0
#endif
private let systemListen = listen
private let systemConnect = connect
private let systemAccept = accept
private let systemSend = send
private let systemClose = close

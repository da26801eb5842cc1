#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// An error number of the system.
struct SystemError: Error, Hashable, Sendable {
    let number: Int32

    init(_ number: Int32) { self.number = number }

    /// Nothing is at that path.
    var isMissing: Bool { number == ENOENT || number == ENOTDIR }
    /// Something is at that path.
    var isTaken: Bool { number == EEXIST }
}

/// The system calls that a test can make fail, by what they do.
enum SystemCall: Hashable, Sendable {
    case open, read, write, poll, truncate, synchronize, lock
    case status, access, rename, link, remove, makeFolder, list
}

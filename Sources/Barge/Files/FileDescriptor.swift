#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// An open file that is closed when nobody holds it any more.
struct FileDescriptor: ~Copyable, Sendable {
    let rawValue: Int32
    private let isOwned: Bool

    /// Opens `path`. See ``System/openFile(_:flags:mode:)``.
    init(opening path: String, flags: Int32, mode: mode_t = 0) throws(SystemError) {
        rawValue = try System.openFile(path, flags: flags, mode: mode)
        isOwned = true
    }

    /// A descriptor that belongs to somebody else, such as the standard output.
    init(borrowing rawValue: Int32) {
        self.rawValue = rawValue
        isOwned = false
    }

    deinit {
        if isOwned { System.closeFile(rawValue) }
    }

    /// Fills `buffer` from `offset` on; returns less than its size only at the end of the file.
    func read(
        into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64
    ) throws(SystemError) -> Int {
        var filled = 0
        while filled < buffer.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
            let count = try System.readBytes(rawValue, into: rest, at: offset + UInt64(filled))
            if count == 0 { break }
            filled += count
        }
        return filled
    }

    /// Reads what comes next of a stream, waiting for it; 0 at its end.
    func readNext(into buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int {
        while true {
            do throws(SystemError) {
                return try System.readStream(rawValue, into: buffer)
            } catch {
                guard error.number == EAGAIN else { throw error }
                try System.awaitReadiness(rawValue, toWrite: false)
            }
        }
    }

    /// Writes all of `bytes` at `offset`. After a failure `written` says how many are in the file.
    func write(
        _ bytes: UnsafeRawBufferPointer, at offset: UInt64, written: inout Int
    ) throws(SystemError) {
        written = 0
        while written < bytes.count {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[written...])
            let count = try System.writeBytes(rawValue, rest, at: offset + UInt64(written))
            // A file system that takes nothing and names no reason would keep us here for ever.
            if count == 0 { throw SystemError(ENOSPC) }
            written += count
        }
    }

    /// Writes all of `bytes` to a stream, waiting for room. After a failure `written` says how many
    /// went out.
    func writeNext(_ bytes: UnsafeRawBufferPointer, written: inout Int) throws(SystemError) {
        written = 0
        while written < bytes.count {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[written...])
            do throws(SystemError) {
                written += try System.writeStream(rawValue, rest)
            } catch {
                guard error.number == EAGAIN else { throw error }
                try System.awaitReadiness(rawValue, toWrite: true)
            }
        }
    }
}

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The system calls of a report's file.
extension System {
    /// Where a path leads, links followed; the path from the root on where nothing is there yet.
    ///
    /// - Throws: why no file can be written there, as far as what is there says so.
    static func placeOfFile(_ path: String) throws(SystemFailure) -> String {
        var status = stat()
        guard stat(path, &status) == 0 else {
            guard errno == ENOENT else { throw SystemFailure(errorNumber: errno) }
            return absolutePath(path)
        }
        switch status.st_mode & S_IFMT {
        case S_IFREG: break
        case S_IFDIR: throw SystemFailure(errorNumber: EISDIR)
        // To put a file in the place of a pipe or a device would take it away from others.
        case _: throw SystemFailure(errorNumber: EEXIST)
        }
        // A file that its owner has locked against writing is not replaced either.
        guard access(path, W_OK) == 0, let real = realpath(path, nil) else {
            throw SystemFailure(errorNumber: errno)
        }
        defer { free(real) }
        return String(cString: real)
    }

    /// Makes an empty file beside a path, and takes it away again.
    static func tryFile(beside path: String) throws(SystemFailure) {
        close(try openDraft(of: path))
        unlink(draft(of: path))
    }

    /// Puts a text into the place of what a path has, whole or not at all, and returns when it is
    /// on the medium, as far as the system knows.
    static func replaceDurably(_ path: String, with text: String) throws(SystemFailure) {
        let descriptor = try openDraft(of: path)
        let outcome = LineWriter(descriptor: descriptor).write(text)
        let isDurable = fsync(descriptor) == 0
        let errorOfSync = errno
        close(descriptor)
        do throws(SystemFailure) {
            switch outcome {
            case .closed: throw SystemFailure(errorNumber: EPIPE)
            case .failed(let number): throw SystemFailure(errorNumber: number)
            case .complete: break
            }
            guard isDurable else { throw SystemFailure(errorNumber: errorOfSync) }
            try move(draft(of: path), to: path)
        } catch {
            unlink(draft(of: path))
            throw error
        }
    }

    private static func openDraft(of path: String) throws(SystemFailure) -> Int32 {
        let flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW
        let descriptor = open(draft(of: path), flags, 0o666)
        guard descriptor >= 0 else { throw SystemFailure(errorNumber: errno) }
        return descriptor
    }

    /// The process's number is in it, so that two that report to the same place both come through.
    private static func draft(of path: String) -> String { "\(path).\(getpid()).new" }
}

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Small files that are read whole and replaced whole: after a crash there is the old one or the
/// new one.
enum AtomicFile {
    /// Puts `bytes` in the place of what `path` has, and returns when that outlasts a power cut.
    static func replace(
        _ path: String, with bytes: [UInt8], mode: mode_t,
        temporarySuffix: String = temporarySuffix
    ) throws(SystemError) {
        let temporary = path + temporarySuffix
        do throws(SystemError) {
            let file = try FileDescriptor(
                opening: temporary, flags: O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, mode: mode)
            try bytes.span.bytes.withUnsafeBytes { buffer throws(SystemError) in
                var written = 0
                try file.write(buffer, at: 0, written: &written)
            }
            try System.synchronize(file.rawValue)
            try System.renameFile(temporary, to: path)
        } catch {
            // Swept later where it cannot be removed; the error that counts is the first one.
            try? System.removeFile(temporary)
            throw error
        }
        try synchronizeFolder(FilePath.folder(of: path))
    }

    /// The bytes of a regular file, or its first `longest` + 1 if it has more. No link is followed
    /// and no pipe waited for.
    static func read(_ path: String, longest: Int) throws(SystemError) -> [UInt8] {
        let file = try FileDescriptor(
            opening: path, flags: O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY)
        guard try System.status(of: file.rawValue).kind == .regular else {
            throw SystemError(ENXIO)
        }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: longest + 1, alignment: 1)
        defer { buffer.deallocate() }
        let count = try file.read(into: buffer, at: 0)
        return Array(buffer[..<count])
    }

    /// Makes new names in a folder outlast a power cut, where its file system can.
    static func synchronizeFolder(_ path: String) throws(SystemError) {
        let folder = try FileDescriptor(opening: path, flags: O_RDONLY | O_DIRECTORY)
        do throws(SystemError) {
            try System.synchronize(folder.rawValue)
        } catch {
            // Some file systems have no such thing for folders, and say so.
            guard error.number == EINVAL || error.number == ENOTSUP else { throw error }
        }
    }

    /// Gives a file another name unless that name is taken, which is EEXIST.
    static func moveWithoutReplacing(_ path: String, to newPath: String) throws(SystemError) {
        do throws(SystemError) {
            try System.linkFile(path, as: newPath)
        } catch {
            guard hasNoLinks(error) else { throw error }
            try moveWhereLinksAreUnknown(path, to: newPath)
            return
        }
        try System.removeFile(path)
    }

    /// Ends the name of a file that is not whole yet.
    static let temporarySuffix = ".tmp"

    /// The same for files that no lock protects: processes do not get into each other's way.
    static var temporarySuffixOfProcess: String { ".\(System.processID())\(temporarySuffix)" }

    /// Removes what processes left in a folder that were killed between the two steps of
    /// ``replace(_:with:mode:temporarySuffix:)``. What cannot be removed is in nobody's way.
    static func sweep(_ folder: String) {
        for name in (try? System.names(inFolder: folder)) ?? [] where isAbandoned(name) {
            try? System.removeFile(FilePath.join(folder, name))
        }
    }

    /// Whether a name ends in the number of a process that is gone, and the temporary suffix.
    private static func isAbandoned(_ name: String) -> Bool {
        guard name.hasSuffix(temporarySuffix) else { return false }
        let rest = name.dropLast(temporarySuffix.count)
        guard let dot = rest.lastIndex(of: "."),
            let processID = Int32(rest[rest.index(after: dot)...])
        else { return false }
        return !System.isRunning(processID: processID)
    }

    /// FAT and some network file systems have no second name for a file.
    private static func hasNoLinks(_ error: SystemError) -> Bool {
        [EPERM, ENOTSUP, EOPNOTSUPP, ENOSYS, EMLINK].contains(error.number)
    }

    /// A name that appears between look and move is lost here: there is no better call for it that
    /// both systems have.
    private static func moveWhereLinksAreUnknown(
        _ path: String, to newPath: String
    ) throws(SystemError) {
        do throws(SystemError) {
            _ = try System.status(at: newPath, followingLink: false)
        } catch {
            guard error.number == ENOENT else { throw error }
            return try System.renameFile(path, to: newPath)
        }
        throw SystemError(EEXIST)
    }
}

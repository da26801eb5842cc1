#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A copy of a stream in a file that has no name, so that nothing of it is left after a crash.
enum SpoolFile {
    /// Copies `input` to its end.
    static func copy(
        _ input: borrowing FileDescriptor, in folder: String, longest: UInt64,
        through chunks: borrowing FileChunks
    ) throws(LocalFileError) -> OpenedFile {
        let what = "cannot keep a copy of the input in \(folder)"
        let spool = try create(in: folder, what: what)
        var length: UInt64 = 0
        while true {
            let count = try next(input, chunks)
            if count == 0 { break }
            guard UInt64(count) <= longest - length else { throw tooLong(longest) }
            let bytes = UnsafeRawBufferPointer(rebasing: chunks.storage[..<count])
            var written = 0
            do throws(SystemError) {
                try spool.write(bytes, at: length, written: &written)
            } catch {
                throw LocalFileError(
                    error, what, path: folder,
                    advice: "free some space, set TMPDIR to a folder with more, or name a file")
            }
            length += UInt64(count)
        }
        return try OpenedFile(spool, what: what, path: folder, hasName: false)
    }

    /// Where a copy goes: the folder that TMPDIR names, else `fallback`.
    static func folder(environment: [String: String], fallback: String) -> String {
        guard let folder = environment["TMPDIR"], !folder.isEmpty else { return fallback }
        return folder
    }

    private static func create(
        in folder: String, what: String
    ) throws(LocalFileError) -> FileDescriptor {
        try LocalFileError.when(what, path: folder) { () throws(SystemError) in
            for attempt in 0..<mostAttempts {
                let path = FilePath.join(folder, ".barge-\(System.processID())-\(attempt)")
                do throws(SystemError) {
                    let file = try FileDescriptor(
                        opening: path, flags: O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o600)
                    try System.removeFile(path)
                    return file
                } catch {
                    guard error.number == EEXIST else { throw error }
                }
            }
            throw SystemError(EEXIST)
        }
    }

    private static func next(
        _ input: borrowing FileDescriptor, _ chunks: borrowing FileChunks
    ) throws(LocalFileError) -> Int {
        do throws(SystemError) {
            return try input.readNext(into: chunks.storage)
        } catch {
            throw LocalFileError(
                error, "cannot read the standard input", path: "-",
                advice: "redirect a file or a pipe into it")
        }
    }

    private static func tooLong(_ longest: UInt64) -> LocalFileError {
        LocalFileError(
            .badName, path: "-", what: "cannot send the standard input",
            why: "it is longer than \(longest) bytes", advice: "send less")
    }

    /// Names that may be left over from processes that were killed in the wrong moment.
    private static let mostAttempts = 1000
}

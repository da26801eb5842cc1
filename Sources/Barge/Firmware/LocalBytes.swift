#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A small local file as a whole.
enum LocalBytes {
    /// The bytes of a file, or with `-` of the standard input, and its name. What is longer is
    /// refused before more than `limit` bytes are in memory.
    ///
    /// - Parameter excess: why nothing longer makes sense, as a clause.
    static func read(
        _ path: String, limit: Int, excess: String
    ) throws(BargeError) -> (bytes: [UInt8], name: String) {
        do throws(LocalFileError) {
            if path == "-" { return (try standardInput(limit, excess), "stdin") }
            return try file(path, limit, excess)
        } catch {
            throw BargeError(error)
        }
    }

    private static func file(
        _ path: String, _ limit: Int, _ excess: String
    ) throws(LocalFileError) -> (bytes: [UInt8], name: String) {
        let source = try opened(path)
        guard source.length <= UInt64(limit) else {
            throw tooLong(path, "it has \(source.length) bytes, and \(excess)")
        }
        var bytes = [UInt8](repeating: 0, count: Int(source.length))
        // The typed error of the closure is lost on its way through the standard library.
        let result: Result<Void, LocalFileError> = bytes.withUnsafeMutableBytes { buffer in
            do throws(LocalFileError) {
                return .success(
                    try source.read(at: 0, into: UnsafeMutableRawBufferPointer(buffer)))
            } catch {
                return .failure(error)
            }
        }
        try result.get()
        return (bytes, source.name)
    }

    /// A source says that it cannot be sent; here nothing is sent yet.
    private static func opened(_ path: String) throws(LocalFileError) -> UploadSource {
        do throws(LocalFileError) {
            return try UploadSource(path: path)
        } catch {
            throw LocalFileError(
                error.kind, path: path, what: "cannot read \(path)", why: error.why,
                advice: error.advice, errorNumber: error.errorNumber)
        }
    }

    private static func standardInput(
        _ limit: Int, _ excess: String
    ) throws(LocalFileError) -> [UInt8] {
        let input = FileDescriptor(borrowing: STDIN_FILENO)
        let chunks = FileChunks()
        var bytes: [UInt8] = []
        while true {
            let count = try LocalFileError.when("cannot read the standard input", path: "-") {
                () throws(SystemError) in try input.readNext(into: chunks.storage)
            }
            if count == 0 { return bytes }
            guard count <= limit - bytes.count else {
                throw tooLong(
                    "the standard input", "it is longer than \(limit) bytes, and \(excess)")
            }
            bytes.append(contentsOf: chunks.storage[..<count])
        }
    }

    private static func tooLong(_ path: String, _ why: String) -> LocalFileError {
        LocalFileError(
            .badName, path: path, what: "cannot use \(path)", why: why,
            advice: "check that this is the right file")
    }
}

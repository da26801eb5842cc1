/// What is wrong with a file of this computer, in its own words.
extension BargeError {
    /// A local file's trouble.
    public init(_ error: LocalFileError) {
        self.init(
            error.kind.errorKind, error.kind.identifier, what: error.what, why: error.why,
            advice: error.advice)
    }

    /// Does something with local files; their trouble is this library's error.
    static func local<Value>(
        _ work: () throws(LocalFileError) -> Value
    ) throws(BargeError) -> Value {
        do throws(LocalFileError) {
            return try work()
        } catch {
            throw BargeError(error)
        }
    }
}

extension LocalFileError.Kind {
    fileprivate var errorKind: BargeError.Kind {
        switch self {
        case .notFound: .localFileMissing
        case .changed: .verification
        case .notAFile, .alreadyExists, .badName: .localFileUnusable
        case .outputClosed: .outputClosed
        case .busy, .storageFull, .denied, .newerVersion, .corrupt, .inputOutput: .localFile
        }
    }

    fileprivate var identifier: String {
        switch self {
        case .notFound: "no-such-file"
        case .notAFile: "not-a-file"
        case .alreadyExists: "file-exists"
        case .badName: "bad-name"
        case .changed: "file-changed"
        case .busy: "file-in-use"
        case .storageFull: "disk-full"
        case .denied: "permission-denied"
        case .outputClosed: "output-closed"
        case .newerVersion: "newer-version"
        case .corrupt: "damaged-file"
        case .inputOutput: "file-error"
        }
    }
}

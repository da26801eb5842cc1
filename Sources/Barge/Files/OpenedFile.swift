#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A file that is open for reading, and what it was like when it was opened.
final class OpenedFile {
    let descriptor: FileDescriptor
    /// The status at opening.
    let opened: LocalFileStatus
    /// The status that was last found harmless.
    var latest: LocalFileStatus
    /// Whether a path leads to it; a spooled copy has none.
    let hasName: Bool

    /// Opens a regular file that is to be sent.
    convenience init(sending path: String) throws(LocalFileError) {
        let what = "cannot send \(path)"
        // A look first: to open a device may already do something to it, and to open a pipe waits
        // for its writer.
        let found = try LocalFileError.when(what, path: path) { () throws(SystemError) in
            try System.status(at: path, followingLink: true)
        }
        try Self.refuseAllButFiles(found, what: what, path: path)
        let descriptor = try LocalFileError.when(what, path: path) { () throws(SystemError) in
            try FileDescriptor(opening: path, flags: O_RDONLY | O_NOCTTY | O_NONBLOCK)
        }
        try self.init(descriptor, what: what, path: path, hasName: true)
    }

    init(
        _ descriptor: consuming FileDescriptor, what: String, path: String, hasName: Bool
    ) throws(LocalFileError) {
        let rawValue = descriptor.rawValue
        let status = try LocalFileError.when(what, path: path) { () throws(SystemError) in
            try System.status(of: rawValue)
        }
        try Self.refuseAllButFiles(status, what: what, path: path)
        self.descriptor = descriptor
        opened = status
        latest = status
        self.hasName = hasName
    }

    private static func refuseAllButFiles(
        _ status: LocalFileStatus, what: String, path: String
    ) throws(LocalFileError) {
        let advice: String
        switch status.kind {
        case .regular: return
        case .folder: advice = "name a file in it, or an archive of it"
        case .pipe: advice = "send it through the standard input: - < \(path)"
        case .symbolicLink, .socket, .device: advice = "name a file"
        }
        throw LocalFileError(
            .notAFile, path: path, what: what, why: "it is \(status.kind.noun)", advice: advice)
    }
}

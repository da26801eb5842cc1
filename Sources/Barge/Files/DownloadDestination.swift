import BargeProtocol

/// Where a received file shall go, found out before anything is created.
public struct DownloadDestination: Hashable, Sendable {
    /// The two kinds of places.
    public enum Place: Hashable, Sendable {
        /// A file at this path. Nothing but a regular file was there when it was looked at.
        case file(path: String)
        /// The standard output.
        case standardOutput
    }

    /// A file that is at the destination already.
    public struct ExistingFile: Equatable, Sendable {
        /// How many bytes it has.
        public let length: UInt64
        /// The SHA-256 of them.
        public let digest: Digest
    }

    /// What to do, seeing what is there.
    public enum Admission: Hashable, Sendable {
        /// The same bytes are there already: nothing needs to travel.
        case unchanged
        /// The bytes are wanted.
        case transfer
    }

    /// The place.
    public let place: Place
    /// The file's name on the device.
    public let remoteName: String

    /// Finds the place for `remoteName`.
    ///
    /// `localPath` nil: its own name in the current folder. `-`: the standard output. A folder: its
    /// own name in there. Else the file of that path, whose folder must exist.
    ///
    /// Throws ``LocalFileError/Kind/badName`` if `remoteName` is no file name (BTP-080),
    /// ``LocalFileError/Kind/notFound`` if the folder does not exist, and
    /// ``LocalFileError/Kind/notAFile`` if there is a link, a pipe, a device or a folder in the
    /// file's place: what the user did not name is not written to.
    public init(localPath: String?, remoteName: String) throws(LocalFileError) {
        _ = try Name(ofFile: remoteName)
        self.remoteName = remoteName
        guard localPath != "-" else {
            place = .standardOutput
            return
        }
        let path = try Self.resolve(localPath ?? ".", remoteName)
        try Self.checkTarget(path)
        place = .file(path: localPath == nil ? FilePath.lastComponent(path) : path)
    }

    /// The file's path, from the root on; nil for the standard output.
    public func absolutePath() throws(LocalFileError) -> String? {
        guard case .file(let path) = place else { return nil }
        return try FilePath.absolute(path)
    }

    /// True where a file is there already: then the device is asked what it has before any byte
    /// travels.
    public func isOccupied() throws(LocalFileError) -> Bool {
        guard case .file(let path) = place else { return false }
        return try Self.checkTarget(path) != nil
    }

    /// Length and SHA-256 of the file that is there already; nil where there is none.
    public func existingFile() throws(LocalFileError) -> ExistingFile? {
        guard case .file(let path) = place, try Self.checkTarget(path) != nil else { return nil }
        let file = try UploadSource(path: path)
        return ExistingFile(length: file.length, digest: try file.digest())
    }

    /// Decides before any byte travels whether a file of `length` bytes and `digest` may come.
    ///
    /// Throws ``LocalFileError/Kind/alreadyExists`` if another file is there and `overwrite` is
    /// false. With a `digest` of nil (not known to the device) any existing file is another one.
    public func admit(
        length: UInt64, digest: Digest?, overwrite: Bool
    ) throws(LocalFileError) -> Admission {
        guard case .file(let path) = place, let status = try Self.checkTarget(path) else {
            return .transfer
        }
        // Reading gigabytes to learn what the length tells already would be idle.
        if let digest, status.byteCount == length, try existingFile()?.digest == digest {
            PartFile.tidy(target: path)
            return .unchanged
        }
        if overwrite { return .transfer }
        throw Self.alreadyExists(path)
    }
}

extension DownloadDestination {
    static func alreadyExists(_ path: String) -> LocalFileError {
        LocalFileError(
            .alreadyExists, path: path, what: "cannot write \(path)",
            why: "another file of that name exists",
            advice: "choose another name, or replace it with --force")
    }

    /// The status of a regular file at `path`; nil where there is nothing.
    @discardableResult
    static func checkTarget(_ path: String) throws(LocalFileError) -> LocalFileStatus? {
        guard let status = try status(at: path, followingLink: false) else { return nil }
        let advice: String
        switch status.kind {
        case .regular: return status
        case .folder: advice = "choose another name"
        case .symbolicLink: advice = "name the file that the link leads to, or remove the link"
        case .pipe, .socket, .device:
            advice = "write to the standard output instead: - > \(path)"
        }
        throw LocalFileError(
            .notAFile, path: path, what: "cannot write \(path)",
            why: "it is \(status.kind.noun)", advice: advice)
    }

    private static func resolve(
        _ localPath: String, _ remoteName: String
    ) throws(LocalFileError) -> String {
        let found = try status(at: localPath, followingLink: true)
        if found?.kind == .folder { return FilePath.join(localPath, remoteName) }
        let folder = FilePath.endsInSlash(localPath) ? localPath : FilePath.folder(of: localPath)
        let holder = try status(at: folder, followingLink: true)
        guard holder?.kind == .folder, !localPath.isEmpty else {
            throw LocalFileError(
                .notFound, path: localPath, what: "cannot write \(localPath)",
                why: "there is no folder \(folder)", advice: "create it, or choose another one")
        }
        return localPath
    }

    private static func status(
        at path: String, followingLink: Bool
    ) throws(LocalFileError) -> LocalFileStatus? {
        do throws(SystemError) {
            return try System.status(at: path, followingLink: followingLink)
        } catch {
            let error = LocalFileError(error, "cannot write \(path)", path: path)
            if error.kind == .notFound { return nil }
            throw error
        }
    }
}

extension Name {
    /// The name of a file on a device (BTP-080). Throws ``LocalFileError/Kind/badName``.
    init(ofFile text: String) throws(LocalFileError) {
        if let name = Name(utf8: text), name.isValidFileName {
            self = name
            return
        }
        throw LocalFileError(
            .badName, path: text, what: "cannot use the name \(String(reflecting: text))",
            why: "a file on a device is called by 1 to 255 bytes of UTF-8 without / and control "
                + "characters, and not . or ..",
            advice: "choose another name, or give it as barge ls prints it")
    }
}

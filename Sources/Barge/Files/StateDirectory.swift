/// The folder in which Barge remembers what outlasts a process: unfinished transfers, known
/// devices, simulated devices.
///
/// ```
/// version      which layout this is
/// transfers/   one file for each unfinished transfer (TransferJournal)
/// devices/     one file for each device that was talked to before (KnownDevices)
/// ```
/// Other parts add folders of their own by ``folder(_:)``. Only its owner can look into it.
public struct StateDirectory: Hashable, Sendable {
    /// Its path, as given.
    public let path: String

    /// The layout that this program writes.
    public static let version = 1

    /// Opens the state at `path`; creates it with all folders above where it does not exist.
    ///
    /// Throws ``LocalFileError/Kind/newerVersion`` if a newer program wrote it,
    /// ``LocalFileError/Kind/corrupt`` if its `version` file is damaged,
    /// ``LocalFileError/Kind/notAFile`` if it is no folder, ``LocalFileError/Kind/denied`` if
    /// nothing can be written there.
    public init(path: String) throws(LocalFileError) {
        self.path = path
        let what = "cannot use the state directory \(path)"
        try Self.create(path, what)
        try LocalFileError.when(what, path: path, advice: Self.elsewhere) {
            () throws(SystemError) in try System.checkWritable(folder: path)
        }
        try Self.checkVersion(FilePath.join(path, "version"), what)
        AtomicFile.sweep(path)
    }

    /// The path of a folder of that name in the state; it is created if it does not exist.
    public func folder(_ name: String) throws(LocalFileError) -> String {
        let folder = FilePath.join(path, name)
        try Self.create(folder, "cannot use the folder \(folder)")
        AtomicFile.sweep(folder)
        return folder
    }

    /// Where the state is by default: `$XDG_STATE_HOME/barge`, else `~/.local/state/barge` (XDG
    /// Base Directory Specification 0.8).
    /// - Parameters:
    ///   - environment: the value of a variable; nil where it is not set.
    ///   - homeOfUser: asked where HOME is not set; nil where the user has none.
    ///
    /// Throws ``LocalFileError/Kind/notFound`` if the user has no home.
    public static func defaultPath(
        environment: (String) -> String?, homeOfUser: () -> String? = Self.homeOfUser
    ) throws(LocalFileError) -> String {
        // The specification: a relative path is invalid and to be ignored.
        if let state = environment("XDG_STATE_HOME"), FilePath.isAbsolute(state) {
            return FilePath.join(state, "barge")
        }
        let named = environment("HOME").flatMap { FilePath.isAbsolute($0) ? $0 : nil }
        guard let home = named ?? homeOfUser(), FilePath.isAbsolute(home) else {
            throw LocalFileError(
                .notFound, path: "~", what: "cannot find the state directory",
                why: "HOME is not set, and the system knows no home of this user",
                advice: "set XDG_STATE_HOME to a folder")
        }
        return FilePath.join(home, ".local/state/barge")
    }

    /// The user's home according to the system's own list; nil where there is none.
    public static func homeOfUser() -> String? { System.homeFolderOfUser() }

    static let versionKind = "barge-state"
}

extension StateDirectory {
    private static let elsewhere =
        "make it writable, or set XDG_STATE_HOME to a folder that is"

    /// Creates a folder and those above it, for its owner alone.
    private static func create(_ path: String, _ what: String) throws(LocalFileError) {
        guard try !isFolder(path, what) else { return }
        let holder = FilePath.folder(of: path)
        if holder != path { try create(holder, what) }
        do throws(SystemError) {
            try System.makeFolder(path, mode: 0o700)
        } catch {
            // Another process may have been faster.
            if error.isTaken, try isFolder(path, what) { return }
            throw LocalFileError(error, what, path: path, advice: elsewhere)
        }
    }

    /// Whether there is a folder; false where there is nothing.
    private static func isFolder(_ path: String, _ what: String) throws(LocalFileError) -> Bool {
        let status: LocalFileStatus
        do throws(SystemError) {
            status = try System.status(at: path, followingLink: true)
        } catch {
            if error.isMissing { return false }
            throw LocalFileError(error, what, path: path)
        }
        if status.kind == .folder { return true }
        throw LocalFileError(
            .notAFile, path: path, what: what, why: "\(path) is not a folder",
            advice: "move it away, or set XDG_STATE_HOME to a folder")
    }

    private static func checkVersion(_ path: String, _ what: String) throws(LocalFileError) {
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try AtomicFile.read(path, longest: SealedText.longestBytes)
        } catch {
            guard error.isMissing else {
                throw LocalFileError(error, "cannot read \(path)", path: path)
            }
            return try writeVersion(path, what)
        }
        do throws(SealedText.Fault) {
            _ = try SealedText(bytes, kind: versionKind, version: version)
        } catch {
            throw refusal(error, path, what)
        }
    }

    private static func writeVersion(_ path: String, _ what: String) throws(LocalFileError) {
        let bytes = SealedText([]).encoded(kind: versionKind, version: version)
        try LocalFileError.when(what, path: path, advice: elsewhere) { () throws(SystemError) in
            try AtomicFile.replace(
                path, with: bytes, mode: 0o600,
                temporarySuffix: AtomicFile.temporarySuffixOfProcess)
        }
    }

    private static func refusal(
        _ fault: SealedText.Fault, _ path: String, _ what: String
    ) -> LocalFileError {
        switch fault {
        case .corrupt:
            LocalFileError(
                .corrupt, path: path, what: what, why: "\(path) is damaged",
                advice: "move the directory away; a new one is then created")
        case .newer(let found):
            LocalFileError(
                .newerVersion, path: path, what: what,
                why: "a newer version of barge wrote it (layout \(found), this one knows "
                    + "\(version))",
                advice: "use that version, or set XDG_STATE_HOME to another folder")
        }
    }
}

extension Failure {
    /// What was done with a file when the system refused.
    enum FileAction: String, Sendable {
        case read, write, create, replace, remove
    }

    /// A file on this computer that the system would not let us use.
    ///
    /// What does not exist is `ExitCode.notFound`, everything else `ExitCode.localInputOutput`.
    static func file(_ action: FileAction, path: String, errorNumber: Int32) -> Failure {
        let kind = System.kind(ofFileError: errorNumber)
        return Failure(
            kind == .missing ? .notFound : .localInputOutput, kind.rawValue,
            what: "cannot \(action.rawValue) '\(path)'", why: System.message(for: errorNumber),
            advice: kind.advice)
    }
}

/// What a person can do about an error with a file.
enum FileErrorKind: String, CaseIterable, Sendable {
    case missing = "no-such-file"
    case denied = "permission-denied"
    case readOnly = "read-only"
    case full = "disk-full"
    case directory = "is-directory"
    case tooMany = "too-many-files"
    case other = "file-error"

    fileprivate var advice: String {
        switch self {
        case .missing: "check the path, and that its directory exists"
        case .denied: "change its permissions, or run barge as its owner"
        case .readOnly: "choose a place that can be written to"
        case .full: "make room, then run the same command again to go on"
        case .directory: "name a file in it"
        case .tooMany: "raise the limit with 'ulimit -n', or ask for fewer at once with '--jobs'"
        case .other: "check the disk, and choose another place if it keeps failing"
        }
    }
}

/// Why a file, a folder or a stream of this computer did not do what the transfer needs.
///
/// It reads as what happened, why, and what to do next.
public struct LocalFileError: Error, Hashable, Sendable {
    /// What kind of trouble it is.
    public enum Kind: Hashable, Sendable, CaseIterable {
        /// There is nothing of that name.
        case notFound
        /// There is something else than a file: a folder, a pipe, a device, a link.
        case notAFile
        /// There is another file of that name already, and nobody said that it may go.
        case alreadyExists
        /// No file can have that name.
        case badName
        /// The file shrank, grew, changed or went away while it was used.
        case changed
        /// Another process uses it.
        case busy
        /// The disk, the quota or the largest file is full.
        case storageFull
        /// The user may not, or the file system is read-only.
        case denied
        /// The reader of the standard output went away.
        case outputClosed
        /// A newer version of the program wrote it.
        case newerVersion
        /// It is damaged.
        case corrupt
        /// The system reports a fault.
        case inputOutput
    }

    /// The kind of trouble.
    public let kind: Kind
    /// The file, as the user would write it.
    public let path: String
    /// What could not be done: `cannot read boot.bin`.
    public let what: String
    /// Why: `there is no such file`.
    public let why: String
    /// What to do next: `check the path`.
    public let advice: String
    /// The system's error number (`errno`), where the system reported one.
    public let errorNumber: Int32?

    init(
        _ kind: Kind, path: String, what: String, why: String, advice: String,
        errorNumber: Int32? = nil
    ) {
        self.kind = kind
        self.path = path
        self.what = what
        self.why = why
        self.advice = advice
        self.errorNumber = errorNumber
    }

}

extension LocalFileError: CustomStringConvertible {
    /// All three parts in one line.
    public var description: String { "\(what): \(why); \(advice)" }
}

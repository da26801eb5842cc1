/// The two places in which a store keeps files.
public enum FileArea: Hashable, Sendable, CaseIterable {
    /// Where whole files are, which are listed.
    case files
    /// Where unfinished files and their records are, which are not.
    case partials
}

/// What a medium knows of a file.
public struct FileAttributes: Hashable, Sendable {
    /// Bytes of the file.
    public let size: Int
    /// When it was last changed, in seconds since 1970; `nil` if unknown.
    public let modificationSeconds: Int?

    /// Attributes of a file.
    public init(size: Int, modificationSeconds: Int?) {
        self.size = size
        self.modificationSeconds = modificationSeconds
    }
}

/// What can be done to a medium, for planning failures.
public enum FileOperation: String, Hashable, Sendable, CaseIterable {
    /// Files are listed.
    case list
    /// Attributes are asked for.
    case attributes
    /// A file is opened or made.
    case open
    /// Bytes are read.
    case read
    /// Bytes are written.
    case write
    /// Bytes are forced to the disk.
    case sync
    /// A file is renamed.
    case rename
    /// A file is removed.
    case remove
}

/// Why a medium refused or failed.
public enum FileMediumError: Error, Hashable, Sendable, CustomStringConvertible {
    /// There is no such file.
    case notFound
    /// It is a link, a directory or a device, not a file.
    case notRegular
    /// There is no room.
    case noSpace
    /// It is forbidden.
    case denied
    /// The system failed.
    case failed(SystemError)
    /// A planned failure.
    case planned(FileOperation)

    /// What happened.
    public var description: String {
        switch self {
        case .notFound: "there is no such file"
        case .notRegular: "it is a link, a directory or a device, not a file"
        case .noSpace: "there is no room left"
        case .denied: "the system forbids it"
        case .failed(let error): "the system failed: \(error)"
        case .planned(let operation): "a planned failure struck: \(operation.rawValue)"
        }
    }
}

/// What holds the files of a store: two flat directories of regular files. It follows no link, and
/// knows no rules.
public protocol FileMedium {
    /// An open file. It stays readable when its name is removed or given to another file.
    associatedtype Handle

    /// Hands over each regular file in an area, in no order. Names that break a rule of
    /// ``FileName`` are left out.
    mutating func forEachFile(
        in area: FileArea, _ body: (FileName, FileAttributes) -> Void
    ) throws(FileMediumError)
    /// What is known of a file; `nil` if there is none.
    /// - Throws: ``FileMediumError/notRegular`` where something else has the name.
    mutating func attributes(
        of name: FileName, in area: FileArea
    ) throws(FileMediumError) -> FileAttributes?
    /// Opens a file that is there.
    mutating func open(
        _ name: FileName, in area: FileArea, forWriting: Bool
    ) throws(FileMediumError) -> Handle
    /// Makes an empty file, and empties one that is there.
    mutating func create(_ name: FileName, in area: FileArea) throws(FileMediumError) -> Handle
    /// Bytes of an open file.
    mutating func size(of handle: Handle) throws(FileMediumError) -> Int
    /// Reads from `offset` on until `buffer` is full or the file ends; answers how many bytes there
    /// were.
    mutating func read(
        _ handle: Handle, at offset: Int, into buffer: UnsafeMutableRawBufferPointer
    ) throws(FileMediumError) -> Int
    /// Writes all of `bytes` from `offset` on.
    mutating func write(
        _ bytes: UnsafeRawBufferPointer, to handle: Handle, at offset: Int
    ) throws(FileMediumError)
    /// Waits until an open file's bytes would survive a failure of the computer.
    mutating func sync(_ handle: Handle) throws(FileMediumError)
    /// Moves an unfinished file among the whole ones, atomically and durably; a file of that name
    /// is replaced.
    mutating func publish(_ partial: FileName, as name: FileName) throws(FileMediumError)
    /// Removes a file. One that is not there is fine.
    mutating func remove(_ name: FileName, in area: FileArea) throws(FileMediumError)
}

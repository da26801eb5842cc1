/// Files in a directory of this computer.
///
/// Every file is opened relative to the directory's own descriptor and without following links, so
/// nothing outside it can be reached, even while somebody else changes what is in it.
public final class DirectoryFileMedium: FileMedium, Sendable {
    /// An open file.
    public struct Handle: Sendable {
        fileprivate let file: OpenFile
    }

    private let root: OpenFile
    private let partials: OpenFile

    /// The files in the directory at `path`, which is made if only its last component is missing.
    /// - Throws: ``FileMediumError``; `notRegular` where the path or the directory for unfinished
    ///   files is no directory.
    public init(path: String) throws(FileMediumError) {
        do throws(SystemError) {
            try System.makeDirectory(path)
            root = try System.open(path, .rootDirectory)
            try System.makeDirectory(FileName.reserved, in: root)
            partials = try System.open(FileName.reserved, in: root, .directory)
        } catch {
            throw FileMediumError(error)
        }
    }

    /// Hands over each regular file in an area, in no order. One that vanishes meanwhile is left
    /// out.
    public func forEachFile(
        in area: FileArea, _ body: (FileName, FileAttributes) -> Void
    ) throws(FileMediumError) {
        let directory = directory(area)
        try translating { () throws(SystemError) in
            try System.forEachName(in: directory) { bytes in
                guard let name = try? FileName(bytes),
                    let status = try? System.status(name.text, in: directory), status.isRegular
                else { return }
                body(name, FileAttributes(status))
            }
        }
    }

    /// What is known of a file; `nil` if there is none.
    public func attributes(
        of name: FileName, in area: FileArea
    ) throws(FileMediumError) -> FileAttributes? {
        let status: SystemFileStatus
        do throws(SystemError) {
            status = try System.status(name.text, in: directory(area))
        } catch {
            if error.isNotFound { return nil }
            throw FileMediumError(error)
        }
        guard status.isRegular else { throw .notRegular }
        return FileAttributes(status)
    }

    /// Opens a file that is there.
    public func open(
        _ name: FileName, in area: FileArea, forWriting: Bool
    ) throws(FileMediumError) -> Handle {
        try openRegular(name, in: area, forWriting ? .update : .read)
    }

    /// Makes an empty file, and empties one that is there.
    public func create(_ name: FileName, in area: FileArea) throws(FileMediumError) -> Handle {
        try openRegular(name, in: area, .create)
    }

    /// Bytes of an open file.
    public func size(of handle: Handle) throws(FileMediumError) -> Int {
        try translating { () throws(SystemError) in try System.status(handle.file).size }
    }

    /// Reads from `offset` on until `buffer` is full or the file ends.
    public func read(
        _ handle: Handle, at offset: Int, into buffer: UnsafeMutableRawBufferPointer
    ) throws(FileMediumError) -> Int {
        try translating { () throws(SystemError) in
            try System.read(handle.file, at: offset, into: buffer)
        }
    }

    /// Writes all of `bytes` from `offset` on.
    public func write(
        _ bytes: UnsafeRawBufferPointer, to handle: Handle, at offset: Int
    ) throws(FileMediumError) {
        try translating { () throws(SystemError) in
            try System.write(handle.file, bytes, at: offset)
        }
    }

    /// Waits until an open file's bytes are on the disk.
    public func sync(_ handle: Handle) throws(FileMediumError) {
        try translating { () throws(SystemError) in try System.sync(handle.file) }
    }

    /// Moves an unfinished file among the whole ones, and waits until that is on the disk.
    public func publish(_ partial: FileName, as name: FileName) throws(FileMediumError) {
        try translating { () throws(SystemError) in
            try System.rename(partial.text, in: partials, to: name.text, in: root)
            try System.sync(root)
        }
    }

    /// Removes a file. One that is not there is fine.
    public func remove(_ name: FileName, in area: FileArea) throws(FileMediumError) {
        do throws(SystemError) {
            try System.remove(name.text, in: directory(area))
        } catch {
            if !error.isNotFound { throw FileMediumError(error) }
        }
    }

    private func directory(_ area: FileArea) -> OpenFile {
        switch area {
        case .files: root
        case .partials: partials
        }
    }

    /// Opens without following links, then makes sure that it is a file: the name may have changed
    /// hands meanwhile.
    private func openRegular(
        _ name: FileName, in area: FileArea, _ mode: OpenMode
    ) throws(FileMediumError) -> Handle {
        let directory = directory(area)
        let file = try translating { () throws(SystemError) in
            try System.open(name.text, in: directory, mode)
        }
        let status = try translating { () throws(SystemError) in try System.status(file) }
        guard status.isRegular else { throw .notRegular }
        return Handle(file: file)
    }

    private func translating<Value>(
        _ work: () throws(SystemError) -> Value
    ) throws(FileMediumError) -> Value {
        do throws(SystemError) {
            return try work()
        } catch {
            throw FileMediumError(error)
        }
    }
}

extension FileAttributes {
    fileprivate init(_ status: SystemFileStatus) {
        self.init(size: status.size, modificationSeconds: status.modificationSeconds)
    }
}

extension FileMediumError {
    init(_ error: SystemError) {
        if error.isNotFound {
            self = .notFound
        } else if error.isNotRegular {
            self = .notRegular
        } else if error.isNoSpace {
            self = .noSpace
        } else if error.isDenied {
            self = .denied
        } else {
            self = .failed(error)
        }
    }
}

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// What the system says about a file, as far as we look at it.
struct LocalFileStatus: Hashable, Sendable {
    /// What kind of thing a path leads to.
    enum Kind: Hashable, Sendable {
        case regular, folder, symbolicLink, pipe, socket, device
    }

    /// A moment in the file system's own clock.
    struct Moment: Hashable, Sendable {
        let seconds: Int
        let nanoseconds: Int
    }

    let kind: Kind
    /// File system and file number: together they are the file, whatever its name.
    let device: UInt64
    let number: UInt64
    let byteCount: UInt64
    let linkCount: UInt64
    /// When its bytes changed last.
    let modified: Moment
    /// When its bytes, names or rights changed last: nobody can set it back.
    let changed: Moment

    init(_ raw: stat) {
        kind = Kind(raw.st_mode)
        device = UInt64(truncatingIfNeeded: raw.st_dev)
        number = UInt64(truncatingIfNeeded: raw.st_ino)
        byteCount = UInt64(max(0, raw.st_size))
        linkCount = UInt64(raw.st_nlink)
        #if canImport(Darwin)
            modified = Moment(raw.st_mtimespec)
            changed = Moment(raw.st_ctimespec)
        #else
            modified = Moment(raw.st_mtim)
            changed = Moment(raw.st_ctim)
        #endif
    }

    /// True where both are the same file, whatever happened to it in between.
    func isSameFile(as other: LocalFileStatus) -> Bool {
        device == other.device && number == other.number
    }
}

extension LocalFileStatus.Moment {
    init(_ raw: timespec) {
        seconds = Int(raw.tv_sec)
        nanoseconds = Int(raw.tv_nsec)
    }
}

extension LocalFileStatus.Kind {
    init(_ mode: mode_t) {
        switch mode & S_IFMT {
        case S_IFREG: self = .regular
        case S_IFDIR: self = .folder
        case S_IFLNK: self = .symbolicLink
        case S_IFIFO: self = .pipe
        case S_IFSOCK: self = .socket
        default: self = .device
        }
    }

    /// The kind in a sentence.
    var noun: String {
        switch self {
        case .regular: "a file"
        case .folder: "a folder"
        case .symbolicLink: "a symbolic link"
        case .pipe: "a pipe"
        case .socket: "a socket"
        case .device: "a device"
        }
    }
}

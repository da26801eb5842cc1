/// What a store may use up.
public struct FileStoreLimits: Hashable, Sendable {
    /// Bytes of all files, unfinished ones included.
    public var capacityBytes: Int
    /// Unfinished files that are kept for a resume; beyond that the oldest is given up.
    public var maximumPartials: Int

    /// Limits; by default 1 TiB and eight unfinished files.
    public init(capacityBytes: Int = 1 << 40, maximumPartials: Int = 8) {
        precondition(capacityBytes >= 0 && maximumPartials >= 1)
        self.capacityBytes = capacityBytes
        self.maximumPartials = maximumPartials
    }
}

/// A line of the list of files.
public struct StoredFile: Hashable, Sendable {
    /// The file's name.
    public let name: FileName
    /// Its size in bytes.
    public let size: Int
    /// When it was last changed, in seconds since 1970; `nil` if unknown.
    public let modificationSeconds: Int?
}

/// What there is to know of one file.
public struct FileSummary: Hashable, Sendable {
    /// Its size in bytes.
    public let size: Int
    /// When it was last changed, in seconds since 1970; `nil` if unknown.
    public let modificationSeconds: Int?
    /// SHA-256 over those bytes.
    public let sha256: ContentDigest
}

/// The files of a device: listed, read while they grow, replaced whole or not at all.
///
/// Memory is bounded whatever the files' sizes and number: bytes pass through one chunk of
/// ``chunkSize``, and a list holds at most ``maximumListLength`` entries. An upload is kept apart
/// until its digest is verified, and then takes its place in one step. Until then it can be
/// resumed, by whoever names the same file, length and digest, from the durable offset: what was
/// written survives the end of this process at any moment. After a failure of the computer itself
/// ``prefixCRC32(upTo:)`` tells the truth, since it reads.
public struct FileStore<Medium: FileMedium, Digester: SHA256Digester> {
    /// What holds the files. Proofs plan failures here.
    public var medium: Medium
    /// What the store may use up.
    public let limits: FileStoreLimits
    var writing: FileWriting<Medium.Handle, Digester>?

    /// Bytes that are read at once.
    public static var chunkSize: Int { 64 * 1024 }
    /// The most entries that one list holds.
    public static var maximumListLength: Int { 256 }

    /// The files that a medium holds.
    public init(medium: Medium, limits: FileStoreLimits = FileStoreLimits()) {
        self.medium = medium
        self.limits = limits
    }

    /// The first `limit` files after a name, in the order of the names' bytes; those from the start
    /// without a name.
    /// - Throws: ``StorageError`` of kind `storageFailure` or `notPermitted`.
    public mutating func list(
        after last: FileName? = nil, limit: Int = maximumListLength
    ) throws(StorageError) -> [StoredFile] {
        let limit = min(max(limit, 0), Self.maximumListLength)
        return try attempt("listing the files") { (store) throws(FileMediumError) in
            var entries: [StoredFile] = []
            try store.medium.forEachFile(in: .files) { name, found in
                if let last, name <= last { return }
                let entry = StoredFile(
                    name: name, size: found.size, modificationSeconds: found.modificationSeconds)
                Self.insert(entry, into: &entries, limit: limit)
            }
            return entries
        }
    }

    /// Size and digest of a file. Reads it whole: ``beginDigest(of:)`` does so in pieces.
    /// - Throws: ``StorageError`` of kind `notFound`, `notPermitted`, `storageFailure`.
    public mutating func stat(_ name: FileName) throws(StorageError) -> FileSummary {
        var run = try beginDigest(of: name)
        while true {
            if let sha256 = try advance(&run, byteBudget: .max) {
                return FileSummary(
                    size: run.snapshot.size,
                    modificationSeconds: try attributes(of: name)?.modificationSeconds,
                    sha256: sha256)
            }
        }
    }

    /// Removes a file.
    /// - Throws: ``StorageError`` of kind `notFound`, `notPermitted`, `storageFailure`.
    public mutating func remove(_ name: FileName) throws(StorageError) {
        guard try attributes(of: name) != nil else {
            throw StorageError(FileMediumError.notFound, while: "removing \"\(name)\"")
        }
        try attempt("removing \"\(name)\"") { (store) throws(FileMediumError) in
            try store.medium.remove(name, in: .files)
        }
    }

    /// Adds bytes to the end of a file, and makes the file if there is none: what a device's own
    /// log does.
    /// - Throws: ``StorageError`` of kind `noSpace`, `notPermitted`, `storageFailure`.
    public mutating func append(_ bytes: [UInt8], to name: FileName) throws(StorageError) {
        let size = try attributes(of: name)?.size
        let used = try usedBytes()
        guard bytes.count <= limits.capacityBytes - used.files - used.partials else {
            throw StorageError(FileMediumError.noSpace, while: "appending to \"\(name)\"")
        }
        try attempt("appending to \"\(name)\"") { (store) throws(FileMediumError) in
            let handle =
                size == nil
                ? try store.medium.create(name, in: .files)
                : try store.medium.open(name, in: .files, forWriting: true)
            try bytes.withBytes { (buffer) throws(FileMediumError) in
                try store.medium.write(buffer, to: handle, at: size ?? 0)
            }
        }
    }

    /// Keeps the `limit` entries of lowest name, in order.
    private static func insert(_ entry: StoredFile, into entries: inout [StoredFile], limit: Int) {
        if entries.count == limit {
            guard let highest = entries.last, entry.name < highest.name else { return }
            entries.removeLast()
        }
        var low = 0
        var high = entries.count
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].name < entry.name { low = middle + 1 } else { high = middle }
        }
        entries.insert(entry, at: low)
    }
}

// MARK: What the parts share

extension FileStore {
    mutating func attributes(of name: FileName) throws(StorageError) -> FileAttributes? {
        try attempt("looking at \"\(name)\"") { (store) throws(FileMediumError) in
            try store.medium.attributes(of: name, in: .files)
        }
    }

    /// Bytes of whole files, and of unfinished ones without their small records.
    mutating func usedBytes() throws(StorageError) -> (files: Int, partials: Int) {
        (try usedBytes(in: .files), try usedBytes(in: .partials))
    }

    private mutating func usedBytes(in area: FileArea) throws(StorageError) -> Int {
        try attempt("adding up the files") { (store) throws(FileMediumError) in
            var total = 0
            try store.medium.forEachFile(in: area) { name, found in
                let isRecord = area == .partials && name.text.hasSuffix(PartialNames.recordSuffix)
                if !isRecord { total += found.size }
            }
            return total
        }
    }

    /// Runs a piece of work on the medium and puts its error into the storage's words.
    mutating func attempt<Value>(
        _ action: @autoclosure () -> String, _ work: (inout Self) throws(FileMediumError) -> Value
    ) throws(StorageError) -> Value {
        do throws(FileMediumError) {
            return try work(&self)
        } catch {
            throw StorageError(error, while: action())
        }
    }
}

extension StorageError {
    /// The medium's own error, in the words of the storage.
    init(_ error: FileMediumError, while action: String) {
        let kind: Kind
        let advice: String
        switch error {
        case .notFound:
            (kind, advice) = (.notFound, "List the files to see what there is")
        case .notRegular:
            (kind, advice) = (.notPermitted, "Choose another name")
        case .noSpace:
            (kind, advice) = (.noSpace, "Remove files and try again; what was durable still is")
        case .denied:
            (kind, advice) = (.notPermitted, "Check the permissions of the device's directory")
        case .failed, .planned:
            (kind, advice) = (.storageFailure, "Try again; what was durable still is")
        }
        self.init(kind, what: "Failed while \(action)", why: "\(error)", advice: advice)
    }
}

/// The names of an unfinished file and of its record.
struct PartialNames: Hashable, Sendable {
    let data: FileName
    let record: FileName

    static let recordSuffix = ".record"
    static let dataSuffix = ".part"

    init(key: String) throws(FileNameError) {
        data = try FileName(key + Self.dataSuffix)
        record = try FileName(key + Self.recordSuffix)
    }
}

extension FileStore {
    /// The names follow from what names the upload: 32 hexadecimal digits of the SHA-256 over
    /// length, digest and name.
    func partialNames(of transfer: FileTransfer) throws(StorageError) -> PartialNames {
        var writer = RecordWriter()
        writer.write(UInt64(transfer.length))
        writer.write(transfer.sha256)
        writer.write(Array(transfer.name.bytes))
        var digester = Digester()
        writer.bytes.withUnsafeBytes { digester.update($0) }
        guard let names = try? PartialNames(key: String(digester.finish().description.prefix(32)))
        else { preconditionFailure("hexadecimal digits are a name") }
        return names
    }

    /// The record of an unfinished file; `nil` where there is none or it is damaged.
    mutating func partialRecord(_ name: FileName) throws(StorageError) -> PartialRecord? {
        try attempt("reading the record of an upload") { (store) throws(FileMediumError) in
            guard try store.medium.attributes(of: name, in: .partials) != nil else { return nil }
            let handle = try store.medium.open(name, in: .partials, forWriting: false)
            var bytes = [UInt8](repeating: 0, count: PartialRecord.fileSize)
            let count = try bytes.fillBytes { (buffer) throws(FileMediumError) in
                try store.medium.read(handle, at: 0, into: buffer)
            }
            return count == bytes.count ? PartialRecord(bytes) : nil
        }
    }

    /// Removes an unfinished file, its record first: data without a record are nobody's, and are
    /// cleared away.
    mutating func discard(_ names: PartialNames) throws(StorageError) {
        try attempt("giving up an upload") { (store) throws(FileMediumError) in
            try store.medium.remove(names.record, in: .partials)
            try store.medium.remove(names.data, in: .partials)
        }
    }

    /// Makes room for an upload, at the expense of older unfinished ones; answers the number of the
    /// new one.
    mutating func makeRoom(for transfer: FileTransfer) throws(StorageError) -> UInt64 {
        let used = try usedBytes()
        let free = limits.capacityBytes - used.files
        guard transfer.length <= free else {
            throw StorageError(
                .noSpace, what: "\"\(transfer.name)\" was refused",
                why: "it has \(transfer.length) bytes and \(max(free, 0)) are free",
                advice: "Remove files and try again")
        }
        var survey = try surveyPartials()
        var partialBytes = used.partials
        while let oldest = survey.oldest,
            survey.count >= limits.maximumPartials || partialBytes > free - transfer.length
        {
            try discard(oldest)
            survey = try surveyPartials()
            partialBytes = try usedBytes().partials
        }
        return survey.highestOrdinal + 1
    }

    private struct Survey {
        var count = 0
        var oldest: PartialNames?
        var lowestOrdinal = UInt64.max
        var highestOrdinal: UInt64 = 0
    }

    /// Counts the unfinished files. What is damaged, or nobody's, counts as the oldest of all.
    private mutating func surveyPartials() throws(StorageError) -> Survey {
        var keys: Set<String> = []
        try attempt("looking at the unfinished uploads") { (store) throws(FileMediumError) in
            try store.medium.forEachFile(in: .partials) { name, _ in
                guard keys.count < Self.maximumListLength else { return }
                for suffix in [PartialNames.dataSuffix, PartialNames.recordSuffix]
                where name.text.hasSuffix(suffix) {
                    keys.insert(String(name.text.dropLast(suffix.count)))
                }
            }
        }
        var survey = Survey()
        for key in keys {
            guard let names = try? PartialNames(key: key) else { continue }
            let ordinal = try partialRecord(names.record)?.ordinal ?? 0
            survey.count += 1
            survey.highestOrdinal = max(survey.highestOrdinal, ordinal)
            if ordinal < survey.lowestOrdinal {
                survey.lowestOrdinal = ordinal
                survey.oldest = names
            }
        }
        return survey
    }
}

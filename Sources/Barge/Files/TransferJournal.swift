/// The list of unfinished transfers, one small file each in the state's `transfers` folder. It is
/// what `barge resume` goes through after a crash.
public struct TransferJournal: Hashable, Sendable {
    /// An entry in the list.
    public struct Entry: Equatable, Sendable {
        /// What it says.
        public internal(set) var transfer: UnfinishedTransfer
        let name: String
    }

    /// An entry that was not read. It stays where it is.
    public struct Warning: Hashable, Sendable {
        /// The entry's file.
        public let path: String
        /// Why it was not read, and what to do about it.
        public let sentence: String
    }

    /// What is in the list.
    public struct Listing: Equatable, Sendable {
        /// The entries, oldest first.
        public var entries: [Entry] = []
        /// What was not read.
        public var warnings: [Warning] = []
    }

    private let folder: String

    /// The list in this state.
    public init(_ state: StateDirectory) throws(LocalFileError) {
        folder = try state.folder("transfers")
    }

    /// The most entries that are read; the rest becomes one warning.
    public static let mostEntries = 4096

    /// All entries. What is damaged or of a newer version becomes a warning and is left alone.
    public func list() throws(LocalFileError) -> Listing {
        let names = try LocalFileError.when("cannot read \(folder)", path: folder) {
            () throws(SystemError) in try System.names(inFolder: folder)
        }
        let entryNames = names.filter { $0.hasSuffix(Self.suffix) }.sorted()
        var listing = Listing()
        for name in entryNames.prefix(Self.mostEntries) {
            switch read(name) {
            case .success(let entry?): listing.entries.append(entry)
            case .success(nil): continue
            case .failure(let warning): listing.warnings.append(warning)
            }
        }
        if entryNames.count > Self.mostEntries {
            listing.warnings.append(
                Warning(
                    path: folder,
                    sentence: "there are more than \(Self.mostEntries) unfinished transfers; "
                        + "the rest was not read: finish or remove some"))
        }
        listing.entries.sort {
            ($0.transfer.startedAtSeconds, $0.name) < ($1.transfer.startedAtSeconds, $1.name)
        }
        return listing
    }

    /// Puts a transfer on the list, in place of an entry for the same verb, device, object and
    /// path. Returns when that outlasts a power cut.
    ///
    /// Throws ``LocalFileError/Kind/badName`` if it is longer than an entry may be (64 KiB, 64
    /// settings).
    public func record(_ transfer: UnfinishedTransfer) throws(LocalFileError) -> Entry {
        let entry = Entry(transfer: transfer, name: transfer.entryName + Self.suffix)
        try write(entry)
        return entry
    }

    /// Notes how far a transfer is. Each call waits for the disk: once a second is plenty.
    public func update(
        _ entry: inout Entry, durableBytes: UInt64
    ) throws(LocalFileError) {
        entry.transfer.durableBytes = durableBytes
        try write(entry)
    }

    /// Notes which device it is, once that is known.
    public func update(_ entry: inout Entry, deviceSerial: String) throws(LocalFileError) {
        entry.transfer.deviceSerial = deviceSerial
        try write(entry)
    }

    /// Takes a transfer off the list; it is no error if it is not there.
    public func remove(_ entry: Entry) throws(LocalFileError) { try remove(entry.transfer) }

    /// Takes the entry for the same verb, device, object and path off the list, whichever process
    /// put it there; it is no error if there is none.
    public func remove(_ transfer: UnfinishedTransfer) throws(LocalFileError) {
        let path = FilePath.join(folder, transfer.entryName + Self.suffix)
        do throws(SystemError) {
            try System.removeFile(path)
        } catch {
            if error.isMissing { return }
            throw LocalFileError(error, "cannot remove \(path)", path: path)
        }
    }

    /// Takes off the list what a finished transfer has made pointless: earlier ones that would put
    /// something else in the same place of the same device, as named or by its serial. A download
    /// changes nothing there.
    public func removeSuperseded(by transfer: UnfinishedTransfer) throws(LocalFileError) {
        switch transfer.verb {
        case .pull: return
        case .flash, .push: break
        }
        for earlier in try list().entries.map(\.transfer)
        where earlier.verb == transfer.verb && earlier.remote == transfer.remote
            && earlier.isFor(deviceOf: transfer)
        {
            try remove(earlier)
        }
    }

    private static let suffix = ".transfer"
}

extension UnfinishedTransfer {
    fileprivate func isFor(deviceOf other: UnfinishedTransfer) -> Bool {
        device == other.device || (deviceSerial != nil && deviceSerial == other.deviceSerial)
    }
}

extension TransferJournal.Warning: Error {}

extension TransferJournal {
    /// An entry; nil if it is gone by now.
    private func read(_ name: String) -> Result<Entry?, Warning> {
        let path = FilePath.join(folder, name)
        do throws(SystemError) {
            let bytes = try AtomicFile.read(path, longest: SealedText.longestBytes)
            return read(bytes, name: name, path: path)
        } catch {
            if error.isMissing { return .success(nil) }
            let reason = LocalFileError(error, "cannot read \(path)", path: path)
            return .failure(Warning(path: path, sentence: "\(reason)"))
        }
    }

    private func read(_ bytes: [UInt8], name: String, path: String) -> Result<Entry?, Warning> {
        do throws(SealedText.Fault) {
            let transfer = try UnfinishedTransfer(bytes)
            // A copy under another name would be resumed twice.
            guard transfer.entryName + Self.suffix == name else { throw .corrupt }
            return .success(Entry(transfer: transfer, name: name))
        } catch {
            let sentence =
                switch error {
                case .corrupt:
                    "\(path) is damaged and was skipped; begin its transfer again, and remove it"
                case .newer(let version):
                    "\(path) was written by a newer version of barge (format \(version)) and was "
                        + "skipped; use that version to resume it"
                }
            return .failure(Warning(path: path, sentence: sentence))
        }
    }

    private func write(_ entry: Entry) throws(LocalFileError) {
        let path = FilePath.join(folder, entry.name)
        let bytes = entry.transfer.encoded()
        guard bytes.count <= SealedText.longestBytes,
            entry.transfer.options.count <= UnfinishedTransfer.mostOptions
        else {
            throw LocalFileError(
                .badName, path: path, what: "cannot remember the transfer",
                why: "its names and settings are too long", advice: "use shorter ones")
        }
        try LocalFileError.when("cannot remember the transfer in \(folder)", path: path) {
            () throws(SystemError) in
            try AtomicFile.replace(
                path, with: bytes, mode: 0o600,
                temporarySuffix: AtomicFile.temporarySuffixOfProcess)
        }
    }
}

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The part of a file that has come so far: `NAME.part` beside the target, locked against other
/// processes, with a journal that says what it is a part of.
final class PartFile {
    let descriptor: FileDescriptor
    let names: PartNames
    /// What was found when it was opened.
    let beginning: DownloadTarget.Beginning
    /// How many bytes it had then.
    let byteCount: UInt64

    private init(
        _ descriptor: consuming FileDescriptor, _ names: PartNames,
        _ beginning: DownloadTarget.Beginning, byteCount: UInt64
    ) {
        self.descriptor = descriptor
        self.names = names
        self.beginning = beginning
        self.byteCount = byteCount
    }

    /// Opens the part for the file at `target`, or creates it. A part that does not belong to this
    /// transfer is set aside, never overwritten.
    static func open(
        target: String, journal: PartJournal
    ) throws(LocalFileError) -> PartFile {
        let names = PartNames(target: target)
        let what = "cannot write \(names.part)"
        var olderPart: (path: String, reason: DownloadTarget.Doubt)?
        // Each turn that does not return has seen another process finish, or has set a part aside.
        for _ in 0..<mostTurns {
            let file = try create(names, what)
            guard let status = try lock(file, names, what) else { continue }
            let doubt: DownloadTarget.Doubt?
            do throws(LocalFileError) {
                doubt = try judge(status, names, journal)
            } catch {
                // It was made a moment ago, for nothing; the error that counts is the other one.
                if status.byteCount == 0 { try? System.removeFile(names.part) }
                throw error
            }
            if let doubt {
                olderPart = (try setAside(names, what), doubt)
                continue
            }
            if status.byteCount > 0 {
                return PartFile(
                    file, names, .resumed(heldBytes: status.byteCount),
                    byteCount: status.byteCount)
            }
            try LocalFileError.when("cannot write \(names.journal)", path: names.journal) {
                () throws(SystemError) in try journal.write(names.journal)
            }
            let beginning = olderPart.map {
                DownloadTarget.Beginning.startedOver(olderPart: $0.path, because: $0.reason)
            }
            return PartFile(file, names, beginning ?? .fresh, byteCount: 0)
        }
        throw busy(names.part, errorNumber: nil)
    }

    /// Throws ``LocalFileError/Kind/changed`` unless the part still has its name and exactly
    /// `byteCount` bytes.
    func verifyHeld(_ byteCount: UInt64) throws(LocalFileError) {
        let open = try LocalFileError.when("cannot check \(names.part)", path: names.part) {
            () throws(SystemError) in try System.status(of: descriptor.rawValue)
        }
        // A name that cannot be looked at is not the part's any more, whatever the reason.
        let named = try? System.status(at: names.part, followingLink: false)
        guard open.byteCount == byteCount, let named, named.isSameFile(as: open) else {
            throw LocalFileError(
                .changed, path: names.part, what: "cannot finish \(names.target)",
                why: "something else changed or removed \(names.part)",
                advice: "let only one program write there, then run the command again")
        }
    }

    /// Removes part and journal, as far as they are there.
    func remove() throws(SystemError) {
        for path in [names.part, names.journal] {
            do throws(SystemError) {
                try System.removeFile(path)
            } catch {
                if error.number != ENOENT { throw error }
            }
        }
    }

    /// Removes what a process left beside a file that is whole, if it was killed after the part had
    /// taken its name: the journal, and the part's own name where a link was what it took. What
    /// cannot be removed is in nobody's way.
    static func tidy(target: String) {
        let names = PartNames(target: target)
        guard let whole = try? System.status(at: target, followingLink: false) else { return }
        if let part = try? System.status(at: names.part, followingLink: false) {
            guard part.isSameFile(as: whole) else { return }
            try? System.removeFile(names.part)
        }
        try? System.removeFile(names.journal)
    }

    private static let mostTurns = 100
}

extension PartFile {
    private static func create(
        _ names: PartNames, _ what: String
    ) throws(LocalFileError) -> FileDescriptor {
        try LocalFileError.when(what, path: names.part) { () throws(SystemError) in
            try FileDescriptor(
                opening: names.part,
                flags: O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, mode: 0o666)
        }
    }

    /// Locks the part and returns its status; nil if it lost its name while we came.
    private static func lock(
        _ file: borrowing FileDescriptor, _ names: PartNames, _ what: String
    ) throws(LocalFileError) -> LocalFileStatus? {
        do throws(SystemError) {
            try System.lockExclusively(file.rawValue)
        } catch {
            if error.number == EWOULDBLOCK {
                throw busy(names.part, errorNumber: error.number)
            }
            // A file system without locks is no reason to receive nothing.
            guard [ENOTSUP, EOPNOTSUPP, ENOLCK, ENOSYS, EINVAL].contains(error.number) else {
                throw LocalFileError(error, what, path: names.part)
            }
        }
        let rawValue = file.rawValue
        let status = try LocalFileError.when(what, path: names.part) { () throws(SystemError) in
            try System.status(of: rawValue)
        }
        guard status.kind == .regular else {
            throw LocalFileError(
                .notAFile, path: names.part, what: what, why: "it is \(status.kind.noun)",
                advice: "remove it, or choose another name")
        }
        // The one that held the lock before us may have given the file its final name: what we
        // hold then is the finished file.
        let named = try? System.status(at: names.part, followingLink: false)
        return named?.isSameFile(as: status) == true ? status : nil
    }

    /// Why the part is not one to go on with; nil if it is.
    private static func judge(
        _ status: LocalFileStatus, _ names: PartNames, _ journal: PartJournal
    ) throws(LocalFileError) -> DownloadTarget.Doubt? {
        let reading = try LocalFileError.when(
            "cannot read \(names.journal)", path: names.journal
        ) { () throws(SystemError) in try PartJournal.read(names.journal) }
        if case .newer(let version) = reading {
            throw LocalFileError(
                .newerVersion, path: names.journal, what: "cannot go on with \(names.part)",
                why: "a newer version of barge wrote its journal (format \(version))",
                advice: "use that version, or remove \(names.part) and \(names.journal)")
        }
        // A second name: to write here would change what that name has.
        if status.linkCount > 1 { return .hasSecondName }
        if status.byteCount == 0 { return nil }
        switch reading {
        case .missing: return .noJournal
        case .corrupt, .newer: return .corruptJournal
        case .whole(let found):
            if found.deviceSerial != journal.deviceSerial {
                return .otherDevice(serial: found.deviceSerial)
            }
            if found.remoteName != journal.remoteName { return .otherFile(name: found.remoteName) }
            return nil
        }
    }

    private static func setAside(
        _ names: PartNames, _ what: String
    ) throws(LocalFileError) -> String {
        for number in 1...mostTurns {
            let older = names.older(number)
            do throws(SystemError) {
                try AtomicFile.moveWithoutReplacing(names.part, to: older)
                return older
            } catch {
                guard error.number == EEXIST else {
                    throw LocalFileError(error, "cannot move \(names.part)", path: names.part)
                }
            }
        }
        throw LocalFileError(
            .alreadyExists, path: names.part, what: what,
            why: "too many older parts lie beside it", advice: "remove \(names.older(1)) and on")
    }

    private static func busy(_ path: String, errorNumber: Int32?) -> LocalFileError {
        LocalFileError(
            .busy, path: path, what: "cannot write \(path)",
            why: "another process is receiving the same file",
            advice: "wait until it has ended, or choose another name", errorNumber: errorNumber)
    }
}

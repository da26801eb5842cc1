import Bluetooth

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The devices that were talked to before, one small file each in the state's `devices` folder.
///
/// Any number of processes may use it at once. Every change is made under one lock, since it rests
/// on what all the files say: an alias and an address belong to one device each. Reading takes no
/// lock: each file is replaced whole.
public struct KnownDevices: Hashable, Sendable {
    /// What came of a change.
    public struct Change: Equatable, Sendable {
        /// The device as it is remembered now.
        public let device: KnownDevice
        /// What was not read on the way.
        public let warnings: [Warning]
    }

    /// A record that was not read.
    public struct Warning: Hashable, Sendable {
        /// The record's file, by the name that it has now.
        public let path: String
        /// Why it was not read, and what became of it.
        public let sentence: String
    }

    let folder: String

    /// The devices in this state.
    public init(_ state: StateDirectory) throws(LocalFileError) {
        folder = try state.folder("devices")
    }

    /// The most records that are read; the rest becomes one warning.
    public static let mostDevices = 4096

    /// Notes that a device was talked to, and where. What it knows of it already stays: its alias,
    /// its other addresses, its name where `name` is nil. An address that another device had until
    /// now is taken away from that one.
    /// - Parameters:
    ///   - serial: who it is; a device whose hello has none (it is empty) cannot be remembered,
    ///     and the answer is nil.
    ///   - now: seconds since 1970-01-01T00:00Z.
    ///
    /// Throws what the disk says; ``LocalFileError/Kind/newerVersion`` if a newer program
    /// remembers the device; ``LocalFileError/Kind/badName`` if its texts make more than 64 KiB.
    public func remember(
        serial: String, model: String, name: String?, peer: PeerID, now: UInt64
    ) throws(LocalFileError) -> Change? {
        guard !serial.isEmpty else { return nil }
        let sighting = DeviceSighting(
            serial: serial, model: model, name: name, peer: peer, seconds: now)
        return try locked { () throws(LocalFileError) in
            var listing = try read(mayKeepAside: true, including: [serial])
            try refuseNewer(serial, listing)
            let device = try note(sighting, in: &listing)
            return Change(device: device, warnings: listing.warnings)
        }
    }

    /// Gives a device an alias, or with nil takes it away.
    public func setAlias(
        _ text: String?, for serial: String
    ) throws(DeviceAliasError) -> Change {
        var alias: DeviceAlias?
        if let text {
            do throws(DeviceAlias.Fault) {
                alias = try DeviceAlias(text)
            } catch {
                throw .bad(text, error)
            }
        }
        let outcome: Result<Change, DeviceAliasError>
        do throws(LocalFileError) {
            outcome = try locked { () throws(LocalFileError) in try assign(alias, to: serial) }
        } catch {
            throw .file(error)
        }
        return try outcome.get()
    }

    /// Forgets a device; false where it was not known.
    public func forget(serial: String) throws(LocalFileError) -> Bool {
        let path = path(serial: serial)
        return try locked { () throws(LocalFileError) in
            do throws(SystemError) {
                try System.removeFile(path)
                return true
            } catch {
                if error.isMissing { return false }
                throw LocalFileError(error, "cannot forget the device in \(path)", path: path)
            }
        }
    }

    private func assign(
        _ alias: DeviceAlias?, to serial: String
    ) throws(LocalFileError) -> Result<Change, DeviceAliasError> {
        let listing = try read(mayKeepAside: true, including: [serial])
        try refuseNewer(serial, listing)
        guard var device = listing.device(serial: serial) else {
            return .failure(.unknownDevice(serial: serial))
        }
        if let alias, let owner = listing.owner(of: alias, besides: serial) {
            return .failure(.taken(alias, by: owner))
        }
        device.alias = alias
        try write(device)
        return .success(Change(device: device, warnings: listing.warnings))
    }

    func path(serial: String) -> String {
        FilePath.join(folder, KnownDevice.recordName(serial: serial))
    }
}

extension KnownDevices {
    /// Runs `body` while no other process changes anything here.
    func locked<Value>(
        _ body: () throws(LocalFileError) -> Value
    ) throws(LocalFileError) -> Value {
        let path = FilePath.join(folder, "lock")
        let lock = try LocalFileError.when("cannot change \(folder)", path: path) {
            () throws(SystemError) in
            let file = try FileDescriptor(
                opening: path, flags: O_RDWR | O_CREAT | O_NOFOLLOW, mode: 0o600)
            try System.awaitLock(file.rawValue)
            return file
        }
        // Closing it gives the lock back; the file stays, or two processes could each hold the
        // lock of a file of that name.
        defer { withExtendedLifetime(lock) {} }
        return try body()
    }

    func write(_ device: KnownDevice) throws(LocalFileError) {
        let path = path(serial: device.serial)
        let bytes = device.encoded()
        guard bytes.count <= SealedText.longestBytes else {
            throw LocalFileError(
                .badName, path: path, what: "cannot remember the device",
                why: "its names are too long", advice: "give it shorter ones")
        }
        try LocalFileError.when("cannot remember the device in \(folder)", path: path) {
            () throws(SystemError) in
            try AtomicFile.replace(
                path, with: bytes, mode: 0o600,
                temporarySuffix: AtomicFile.temporarySuffixOfProcess)
        }
    }

    func refuseNewer(_ serial: String, _ listing: Listing) throws(LocalFileError) {
        let path = path(serial: serial)
        guard listing.newerPaths.contains(path) else { return }
        throw LocalFileError(
            .newerVersion, path: path, what: "cannot change what is known of the device",
            why: "a newer version of barge wrote \(path)", advice: "use that version")
    }
}

/// Reads the records, and keeps aside what is damaged.
extension KnownDevices {
    /// All devices, the latest seen first. A damaged record is renamed to `NAME.damaged`, one of a
    /// newer version is left alone; each is a warning.
    public func list() throws(LocalFileError) -> Listing {
        let listing = try read(mayKeepAside: false)
        guard listing.hasDamage else { return listing }
        // Read again under the lock: between a look and the renaming another process may have put
        // a whole record in the damaged one's place. Where there is no lock to be had, as on a
        // read-only disk, the damaged record stays where it is.
        let kept = try? locked { () throws(LocalFileError) in try read(mayKeepAside: true) }
        return kept ?? listing
    }

    /// - Parameters:
    ///   - mayKeepAside: true where the lock is held.
    ///   - serials: devices that are read even where there are too many, since they are to be
    ///     changed.
    func read(
        mayKeepAside: Bool, including serials: [String] = []
    ) throws(LocalFileError) -> Listing {
        let names = try LocalFileError.when("cannot read \(folder)", path: folder) {
            () throws(SystemError) in try System.names(inFolder: folder)
        }
        let wanted = Set(serials.map(KnownDevice.recordName))
        let recordNames = names.filter { $0.hasSuffix(KnownDevice.recordSuffix) }
            .sorted { (wanted.contains($0) ? 0 : 1, $0) < (wanted.contains($1) ? 0 : 1, $1) }
        var listing = Listing()
        for name in recordNames.prefix(max(Self.mostDevices, wanted.count)) {
            let path = FilePath.join(folder, name)
            switch readRecord(name, at: path) {
            case .device(let device): listing.devices.append(device)
            case .gone: continue
            case .damaged:
                listing.hasDamage = true
                listing.warnings.append(damage(at: path, mayKeepAside: mayKeepAside))
            case .newer(let version):
                listing.newerPaths.insert(path)
                listing.warnings.append(Self.newer(path, version))
            case .unreadable(let error):
                listing.warnings.append(Warning(path: path, sentence: "\(error)"))
            }
        }
        if recordNames.count > Self.mostDevices { listing.warnings.append(tooMany) }
        listing.devices.sort {
            ($1.lastSeenSeconds, $0.serial) < ($0.lastSeenSeconds, $1.serial)
        }
        return listing
    }

    /// One device's record; nil where it is not known or cannot be read.
    func record(serial: String) -> KnownDevice? {
        let name = KnownDevice.recordName(serial: serial)
        guard case .device(let device) = readRecord(name, at: path(serial: serial)) else {
            return nil
        }
        return device
    }

    private enum Record {
        case device(KnownDevice)
        /// Forgotten between two looks.
        case gone
        case damaged
        case newer(version: Int)
        case unreadable(LocalFileError)
    }

    private func readRecord(_ name: String, at path: String) -> Record {
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try AtomicFile.read(path, longest: SealedText.longestBytes)
        } catch {
            if error.isMissing { return .gone }
            return .unreadable(LocalFileError(error, "cannot read \(path)", path: path))
        }
        do throws(SealedText.Fault) {
            let device = try KnownDevice(bytes)
            // A copy under another name would be a second device with the same identity.
            guard KnownDevice.recordName(serial: device.serial) == name else { return .damaged }
            return .device(device)
        } catch {
            switch error {
            case .corrupt: return .damaged
            case .newer(let version): return .newer(version: version)
            }
        }
    }

    private func damage(at path: String, mayKeepAside: Bool) -> Warning {
        guard mayKeepAside, let aside = freePlace(besides: path),
            (try? System.renameFile(path, to: aside)) != nil
        else {
            return Warning(
                path: path,
                sentence: "\(path), a known device, is damaged and was skipped; remove it")
        }
        return Warning(
            path: aside,
            sentence: "a known device's file was damaged and is kept as \(aside); the device is "
                + "known again once it was talked to, without its alias")
    }

    /// Where a damaged record can go without taking the place of an earlier one; nil where so many
    /// lie there that nobody seems to look at them.
    private func freePlace(besides path: String) -> String? {
        let places = (1...Self.mostDamaged).lazy.map { number in
            path + Self.damagedSuffix + (number == 1 ? "" : "-\(number)")
        }
        return places.first { place in
            do throws(SystemError) {
                _ = try System.status(at: place, followingLink: false)
                return false
            } catch {
                return error.isMissing
            }
        }
    }

    private static func newer(_ path: String, _ version: Int) -> Warning {
        Warning(
            path: path,
            sentence: "\(path) was written by a newer version of barge (format \(version)) and "
                + "was skipped; use that version to see the device")
    }

    private var tooMany: Warning {
        Warning(
            path: folder,
            sentence: "there are more than \(Self.mostDevices) known devices; the rest was not "
                + "read: forget some")
    }

    static let damagedSuffix = ".damaged"
    /// The most damaged records of one device that are kept.
    private static let mostDamaged = 9
}

import BargePeripheral

extension SimulatedDevice {
    /// Makes a device, switched off. Its flash is made when it is first switched on: thousands of
    /// devices cost little until they are used.
    ///
    /// - Parameter powerCutBytes: so many bytes may its flash erase or program before the power
    ///   fails, once.
    /// - Parameter hasSamples: whether there are files on it to try things with.
    /// - Throws: `ExitCode.refusedByDevice` if there is a device of that name.
    static func create(
        name: String, settings: SimulatedDeviceSettings, powerCutBytes: Int? = nil,
        hasSamples: Bool = false, stateDirectory: String
    ) throws(Failure) {
        try create(
            [(name, settings)], powerCutBytes: powerCutBytes, hasSamples: hasSamples,
            stateDirectory: stateDirectory)
    }

    /// Makes several devices, each whole; none where one of the names is taken.
    static func create(
        _ devices: [(name: String, settings: SimulatedDeviceSettings)],
        powerCutBytes: Int? = nil, hasSamples: Bool = false, stateDirectory: String
    ) throws(Failure) {
        let settings = Dictionary(devices) { first, _ in first }
        try SimulationDirectory(stateDirectory: stateDirectory).make(devices.map(\.name)) {
            (files) throws(Failure) in
            guard let settings = settings[files.name] else { return }
            if hasSamples { try writeSamples(files) }
            let state = DeviceState(powerCutBytes: powerCutBytes)
            try write(settings.text, to: files.settingsPath)
            try write(state.text, to: files.statePath)
        }
    }

    /// Gives a device that was never switched on its flash, with a first image in it.
    static func provide(
        _ files: DeviceFiles, _ settings: SimulatedDeviceSettings, _ state: DeviceState
    ) throws(Failure) {
        guard state.bootID == 0 else { return }
        // Under another name at first: a process that is killed here leaves no flash without an
        // image.
        let draft = files.flashPath + ".making"
        guard try prepare(draft, files) else { return }
        try makeFlash(draft, files, settings)
        try creating(files.flashPath) { () throws(SystemFailure) in
            try System.move(draft, to: files.flashPath)
        }
    }

    /// Clears the way for a new flash; false where there is one.
    private static func prepare(_ draft: String, _ files: DeviceFiles) throws(Failure) -> Bool {
        try creating(files.flashPath) { () throws(SystemFailure) in
            guard try System.entry(at: files.flashPath) == .nothing else { return false }
            try System.removeAll(draft)
            return true
        }
    }

    private static func makeFlash(
        _ path: String, _ files: DeviceFiles, _ settings: SimulatedDeviceSettings
    ) throws(Failure) {
        let geometry = try settings.geometry(files)
        do {
            let medium = try FileFlashMedium.create(atPath: path, geometry: geometry)
            var slots = FirmwareSlots<FileFlashMedium, OpenSSLDigester>(
                flash: try FlashModel(geometry: geometry, medium: medium),
                layout: try FirmwareLayout(geometry: geometry, slotSize: settings.slotBytes))
            try slots.provision(FactoryContents.image)
        } catch let error as FlashFileError {
            throw SimulationFailure.flash(error, device: files.name)
        } catch {
            throw SimulationFailure.damaged(
                path: files.flashPath, reason: "\(error)", device: files.name)
        }
    }

    private static func writeSamples(_ files: DeviceFiles) throws(Failure) {
        do {
            let medium = try DirectoryFileMedium(path: files.storePath)
            var store = FileStore<DirectoryFileMedium, OpenSSLDigester>(medium: medium)
            try store.append(Array(FactoryContents.welcome.utf8), to: FileName("welcome.txt"))
            var log = GrowingLog(name: try FileName("measurements.log"), seed: 1)
            try log.append(lines: FactoryContents.measurementCount, to: &store)
        } catch {
            throw Failure(
                .localInputOutput, "file-error", what: "cannot create 'sim:\(files.name)'",
                why: "\(error)", advice: "make room, or choose another place with '--state-dir DIR'"
            )
        }
    }

    private static func write(_ text: String, to path: String) throws(Failure) {
        try creating(path) { () throws(SystemFailure) in try System.replace(path, with: text) }
    }

    private static func creating<Value>(
        _ path: String, _ work: () throws(SystemFailure) -> Value
    ) throws(Failure) -> Value {
        do throws(SystemFailure) {
            return try work()
        } catch {
            throw Failure.file(.create, path: path, errorNumber: error.errorNumber)
        }
    }
}

extension SimulatedDeviceSettings {
    /// The flash that the slots need.
    ///
    /// A sector is erased in 8 ms and a word programmed in 6 µs: round figures for a fast internal
    /// flash, so that the link is what limits a transfer, as on most devices. An unlimited device
    /// takes no time at all.
    func geometry(_ files: DeviceFiles) throws(Failure) -> FlashGeometry {
        let size = FirmwareLayout.flashSize(slotSize: slotBytes, sectorSize: Self.sectorBytes)
        do throws(FlashGeometryError) {
            return try FlashGeometry(
                size: size, sectorSize: Self.sectorBytes, programUnit: 4,
                eraseSectorMicroseconds: isUnlimited ? 0 : 8_000,
                programUnitMicroseconds: isUnlimited ? 0 : 6,
                readBytesPerMicrosecond: isUnlimited ? 1_000_000 : 64)
        } catch {
            throw SimulationFailure.damaged(
                path: files.settingsPath, reason: "\(error)", device: files.name)
        }
    }
}

/// What a simulated device leaves the factory with.
enum FactoryContents {
    /// Lines of the sample log: some 60 KB.
    static let measurementCount = 2_000

    /// The first image: nothing runs it, so that it may say what it is.
    static let image: [UInt8] = {
        let line = Array("barge simulated device, factory image 1.0.0\n".utf8)
        return (0..<4_096).map { line[$0 % line.count] }
    }()

    static let welcome = """
        This file is on a simulated device. Its radio keeps to the physics of Bluetooth LE.

          barge info sim:demo                   what it says of itself
          barge ls sim:demo                     the files that are on it
          barge pull sim:demo measurements.log  a file from it
          barge push FILE sim:demo              a file to it
          barge flash IMAGE sim:demo            a firmware; the old one returns if it fails
          barge sim create --help               devices with other radios

        """
}

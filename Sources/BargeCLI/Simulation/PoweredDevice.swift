import Barge
import BargePeripheral
import BluetoothSimulation

/// The device half over files of this computer.
typealias HostedDevice = BargeDevice<FileFlashMedium, DirectoryFileMedium>

/// A simulated device that this process has the right to, ready to join a world.
struct PoweredDevice {
    let name: String
    let lock: DeviceLock
    let settings: SimulatedDeviceSettings
    let state: DeviceState
    let keeper: StateKeeper
    let application: HostedDevice

    /// Its address of today.
    var peer: PeerID { configuration.firstAddress }

    /// The address of a device in a state: `sim:NAME`, unless it changes its address.
    static func peer(
        _ name: String, _ settings: SimulatedDeviceSettings, _ state: DeviceState
    ) -> PeerID { settings.configuration(name: name, state).firstAddress }

    private var configuration: DeviceConfiguration { settings.configuration(name: name, state) }

    /// - Parameter isPowerCycle: whether it is switched off first, whatever it was doing.
    init(
        _ files: DeviceFiles, lock: DeviceLock, isPowerCycle: Bool = false
    ) throws(Failure) {
        name = files.name
        self.lock = lock
        settings = try files.settings()
        var state = try files.state()
        keeper = StateKeeper(path: files.statePath, state: state)
        if isPowerCycle { state.running = nil }
        try SimulatedDevice.provide(files, settings, state)
        var slots = try Self.slots(files, settings)
        let isAttached = Self.attach(&slots, state)
        if !isAttached { state.running = nil }
        // This computer keeps keys by address.
        if settings.oddities.changesAddress, !isAttached { state.centralBond = nil }
        if let bytes = state.powerCutBytes {
            slots.flash.cutPower(settings.powerCut(afterBytes: bytes))
        }
        self.state = state
        application = HostedDevice(
            profile: settings.profile(name: name),
            storage: DeviceStorage(slots: slots, files: try Self.store(files)),
            bootID: state.bootID, isAttached: isAttached)
    }

    /// Whether the firmware that ran still runs. Where that cannot be, the device boots instead.
    private static func attach(
        _ slots: inout FirmwareSlots<FileFlashMedium, OpenSSLDigester>, _ state: DeviceState
    ) -> Bool {
        guard let running = state.running else { return false }
        return (try? slots.attach(running: running)) != nil
    }

    private static func slots(
        _ files: DeviceFiles, _ settings: SimulatedDeviceSettings
    ) throws(Failure) -> FirmwareSlots<FileFlashMedium, OpenSSLDigester> {
        let medium: FileFlashMedium
        do throws(FlashFileError) {
            medium = try FileFlashMedium.open(atPath: files.flashPath)
        } catch {
            throw SimulationFailure.flash(error, device: files.name)
        }
        do {
            return FirmwareSlots(
                flash: try FlashModel(geometry: medium.geometry, medium: medium),
                layout: try FirmwareLayout(
                    geometry: medium.geometry, slotSize: settings.slotBytes))
        } catch {
            throw SimulationFailure.damaged(
                path: files.flashPath, reason: "\(error)", device: files.name)
        }
    }

    private static func store(
        _ files: DeviceFiles
    ) throws(Failure) -> FileStore<DirectoryFileMedium, OpenSSLDigester> {
        do throws(FileMediumError) {
            return FileStore(
                medium: try DirectoryFileMedium(path: files.storePath),
                limits: FileStoreLimits(capacityBytes: fileCapacityBytes))
        } catch {
            if case .failed(let system) = error {
                throw SimulationFailure.file(
                    .read, path: files.storePath, errorNumber: system.code)
            }
            throw SimulationFailure.damaged(
                path: files.storePath, reason: "\(error)", device: files.name)
        }
    }

    /// Bytes of files that a simulated device holds: 8 GiB.
    static let fileCapacityBytes = 8 << 30

    // MARK: In the world

    /// Puts the device into a world. From here on it is the world's, and saves itself.
    func join(_ world: SimulatedWorld) {
        world.addDevice(configuration, application: application)
        world.keep(central: state.centralBond, device: state.deviceBond, of: peer)
        let (peer, keeper, planned) = (peer, keeper, state.powerCutBytes)
        application.afterEvent = { [unowned world, unowned application] in
            keeper.keep(DeviceState(of: application, peer, in: world, plannedCut: planned))
        }
    }
}

extension DeviceState {
    /// What there is to keep of a device now.
    ///
    /// - Parameter plannedCut: bytes before the power failure, when this process began.
    init(of device: HostedDevice, _ peer: PeerID, in world: SimulatedWorld, plannedCut: Int?) {
        bootID = device.bootID
        running = device.isResetting ? nil : device.storage.slots?.running
        (centralBond, deviceBond) = world.keptBond(with: peer)
        if let plannedCut {
            let worn = device.storage.slots?.flash.counters.wornBytes ?? 0
            powerCutBytes = worn > plannedCut ? nil : plannedCut - worn
        }
    }
}

import Barge
import BargePeripheral
import BluetoothSimulation
import Synchronization

/// One radio, and on it the simulated devices that this process has the right to just now. A device
/// comes when its turn does and goes when it is done with, so that a thousand of them need no more
/// files and memory than those that are under way.
///
/// To a device, a barge that was killed is a link that was lost: what ran goes on running, and what
/// was durable is.
final class SimulatedBench: Sendable {
    /// The radio that reaches the devices.
    let radio: SimulatedRadio
    private let directory: SimulationDirectory
    private let console: Console?
    private let places = Mutex<[String: Place]>([:])

    /// The most links that the simulated adapter holds: what controllers of today do.
    static let adapterLinks = 20

    /// How many devices can be on a bench at once, in a process that may open so many files.
    static func mostAtOnce(openFiles: Int) -> Int {
        max(1, (openFiles - filesOfProcess) / filesOfDevice)
    }

    /// The lock, the flash, and the folders of the files.
    private static let filesOfDevice = 4
    /// Standard streams, logs, images, and what is opened only for a moment.
    private static let filesOfProcess = 32

    /// What has to be kept for a device while it is here.
    private struct Place {
        let lock: DeviceLock
        let keeper: StateKeeper
        let peer: PeerID
        let plannedCut: Int?
    }

    /// A bench for these devices, of which none is there yet. Time passes as the slowest of them
    /// wants it; chance comes from the seed of the first.
    init(
        for names: [String], stateDirectory: String, console: Console? = nil
    ) throws(Failure) {
        directory = SimulationDirectory(stateDirectory: stateDirectory)
        self.console = console
        var pace = Pace.max
        var seed: UInt64?
        for name in names {
            try SimulatedDevice.makeDemonstration(name, stateDirectory)
            // A device that is missing or damaged says so when its turn comes.
            guard let settings = try? directory.files(of: name).settings() else { continue }
            if settings.pace == .realtime { pace = .realtime }
            seed = seed ?? settings.seed
        }
        let world = SimulatedWorld(seed: seed ?? 1)
        world.maximumLinks = Self.adapterLinks
        radio = SimulatedRadio(world: world, pace: pace)
    }

    /// Puts a device on the bench, and answers where it is: its address of today.
    ///
    /// - Parameter patience: how long to wait for another process that has it.
    /// - Parameter isPowerCycle: whether it is switched off and on again.
    /// - Throws: `ExitCode.notFound`; `ExitCode.refusedByDevice` if it is in use;
    ///   `ExitCode.localInputOutput` if its files cannot be used; `ExitCode.interrupted`.
    func enter(
        _ name: String, patience: Duration, isPowerCycle: Bool = false
    ) async throws(Failure) -> PeerID {
        guard try directory.exists(name) else { throw SimulationFailure.missing(name) }
        let files = directory.files(of: name)
        let lock = try await DeviceLock.wait(for: files, patience: patience, console: console)
        return try place(
            try PoweredDevice(files, lock: lock, isPowerCycle: isPowerCycle))
    }

    private func place(_ device: sending PoweredDevice) throws(Failure) -> PeerID {
        let place = Place(
            lock: device.lock, keeper: device.keeper, peer: device.peer,
            plannedCut: device.state.powerCutBytes)
        let name = device.name
        radio.withWorld { device.join($0) }
        places.withLock { $0[name] = place }
        return place.peer
    }

    /// Writes what must outlast the process, and takes the device off the bench. Its state is
    /// written along the way as well; this is where one learns that it could not be.
    func leave(_ name: String) throws(Failure) {
        guard let place = places.withLock({ $0.removeValue(forKey: name) }) else { return }
        radio.withWorld { world in
            guard let device = world.application(of: place.peer) as? HostedDevice else { return }
            place.keeper.keep(
                DeviceState(of: device, place.peer, in: world, plannedCut: place.plannedCut))
            device.afterEvent = nil
            world.removeDevice(place.peer)
        }
        try place.keeper.check()
        withExtendedLifetime(place.lock) {}
    }

    /// Lets a device start, and tells what its boot did; nil where no image could be started.
    func bootReport(of name: String) -> BootReport? {
        guard let peer = places.withLock({ $0[name]?.peer }) else { return nil }
        return radio.withWorld { world in
            // What the device does at once when it is switched on.
            world.run(until: world.now)
            return (world.application(of: peer) as? HostedDevice)?.lastBoot
        }
    }
}

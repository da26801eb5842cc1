import Barge
import BargePeripheral
import BluetoothSimulation

/// A simulated device that lives in files and outlasts the process, alone on a radio of its own.
///
/// To it, a barge that was killed is a link that was lost: what ran goes on running, and what was
/// durable is.
final class SimulatedDevice: Sendable {
    /// The radio that reaches it.
    let radio: SimulatedRadio
    /// What to connect to: `sim:NAME`.
    let peer: PeerID
    private let lock: DeviceLock
    private let keeper: StateKeeper
    private let plannedCut: Int?

    private init(_ device: sending PoweredDevice) {
        peer = device.peer
        lock = device.lock
        keeper = device.keeper
        plannedCut = device.state.powerCutBytes
        let pace = device.settings.pace
        let world = SimulatedWorld(seed: device.settings.seed)
        device.join(world)
        radio = SimulatedRadio(world: world, pace: pace)
    }

    /// Opens a device by its name, without `sim:`. `demo` is made on its first use.
    ///
    /// - Parameter patience: how long to wait for another process that has it.
    /// - Parameter console: who is told that it waits.
    /// - Parameter isPowerCycle: whether it is switched off and on again.
    /// - Throws: `ExitCode.notFound`; `ExitCode.refusedByDevice` if it is in use;
    ///   `ExitCode.localInputOutput` if its files cannot be used; `ExitCode.interrupted`.
    static func open(
        name: String, stateDirectory: String, patience: Duration, console: Console? = nil,
        isPowerCycle: Bool = false
    ) async throws(Failure) -> SimulatedDevice {
        let directory = SimulationDirectory(stateDirectory: stateDirectory)
        try makeDemonstration(name, stateDirectory)
        let files = directory.files(of: name)
        let lock = try await DeviceLock.wait(for: files, patience: patience, console: console)
        return SimulatedDevice(
            try PoweredDevice(files, lock: lock, isPowerCycle: isPowerCycle))
    }

    /// How long a command waits for another one that has the device.
    static let patience = Duration.seconds(10)

    /// Lets the device start, and tells what its boot did; nil where no image could be started.
    func bootReport() -> BootReport? {
        radio.withWorld { world in
            // What the device does at once when it is switched on.
            world.run(until: world.now)
            return (world.application(of: peer) as? HostedDevice)?.lastBoot
        }
    }

    /// Writes what must outlast the process. It is written along the way as well; this is where
    /// one learns that it could not be.
    func save() throws(Failure) {
        radio.withWorld { world in
            guard let device = world.application(of: peer) as? HostedDevice else { return }
            keeper.keep(DeviceState(of: device, peer, in: world, plannedCut: plannedCut))
        }
        try keeper.check()
    }

    static func makeDemonstration(
        _ name: String, _ stateDirectory: String
    ) throws(Failure) {
        let directory = SimulationDirectory(stateDirectory: stateDirectory)
        guard name == SimulationDirectory.demonstration, try !directory.exists(name) else { return }
        do throws(Failure) {
            try create(
                name: name, settings: SimulatedDeviceSettings(), hasSamples: true,
                stateDirectory: stateDirectory)
        } catch {
            // Another process may have been faster.
            if try !directory.exists(name) { throw error }
        }
    }
}

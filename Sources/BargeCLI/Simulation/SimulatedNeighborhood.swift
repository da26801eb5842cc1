import Barge
import BluetoothSimulation

/// All simulated devices that nobody uses, on one radio.
final class SimulatedNeighborhood: Sendable {
    let radio: SimulatedRadio
    private let locks: [DeviceLock]
    private let keepers: [StateKeeper]

    private init(
        world: sending SimulatedWorld, locks: [DeviceLock], keepers: [StateKeeper]
    ) {
        radio = SimulatedRadio(world: world)
        self.locks = locks
        self.keepers = keepers
    }

    /// Opens all devices. Those that are in use or unusable are left out, and the console is told.
    static func open(
        stateDirectory: String, console: Console
    ) async throws(Failure) -> SimulatedNeighborhood {
        let directory = SimulationDirectory(stateDirectory: stateDirectory)
        let world = SimulatedWorld(seed: 1)
        var (locks, keepers): ([DeviceLock], [StateKeeper]) = ([], [])
        for name in try directory.allNames() {
            do throws(Failure) {
                try SimulatedDevice.makeDemonstration(name, stateDirectory)
                let files = directory.files(of: name)
                let lock = try await DeviceLock.wait(for: files, patience: .zero, console: console)
                let device = try PoweredDevice(files, lock: lock)
                locks.append(lock)
                keepers.append(device.keeper)
                device.join(world)
            } catch {
                console.errorLine("sim:\(name) is left out: \(error.why.printable)")
            }
        }
        return SimulatedNeighborhood(world: world, locks: locks, keepers: keepers)
    }

    /// Says whose state could not be written. They save themselves along the way.
    func save(_ console: Console) {
        for keeper in keepers {
            do throws(Failure) {
                try keeper.check()
            } catch {
                console.errorLine("\(error.what): \(error.why.printable)")
            }
        }
    }
}

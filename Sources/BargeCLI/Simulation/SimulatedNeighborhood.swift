import Barge
import BargePeripheral
import BluetoothSimulation

/// All simulated devices that nobody uses, on one radio, for whoever only listens: they advertise,
/// and take no links. Nothing of them is opened, so that a scan disturbs nobody.
final class SimulatedNeighborhood: Sendable {
    let radio: SimulatedRadio

    private init(world: sending SimulatedWorld) { radio = SimulatedRadio(world: world) }

    /// Devices that are in use have a link and do not advertise; those that are unusable are left
    /// out, and the console is told.
    static func open(
        stateDirectory: String, console: Console
    ) async throws(Failure) -> SimulatedNeighborhood {
        let directory = SimulationDirectory(stateDirectory: stateDirectory)
        let world = SimulatedWorld(seed: 1)
        for name in try directory.allNames() {
            do throws(Failure) {
                try SimulatedDevice.makeDemonstration(name, stateDirectory)
                let files = directory.files(of: name)
                let settings = try files.settings()
                if case .process(let holder) = files.user() {
                    throw SimulationFailure.inUse(name, holder: holder)
                }
                let peer = PoweredDevice.peer(name, settings, try files.state())
                world.addDevice(
                    settings.configuration(peer: peer),
                    application: Advertiser(settings.profile(name: name).advertisement))
            } catch {
                console.errorLine("sim:\(name) is left out: \(error.why.printable)")
            }
        }
        return SimulatedNeighborhood(world: world)
    }
}

/// A device of which nothing is there but its advertisement.
private struct Advertiser: PeripheralApplication {
    private let advertisement: Advertisement

    init(_ advertisement: Advertisement) { self.advertisement = advertisement }

    mutating func handle(_ event: PeripheralEvent, on stack: inout some PeripheralStack) {
        // What does not fit is not heard, as with the device itself.
        if event == .poweredOn { try? stack.advertise(advertisement) }
    }

    func value(of characteristic: BluetoothUUID, for connection: ConnectionID)
        -> Result<[UInt8], ATTError>
    { .failure(.readNotPermitted) }
}

import Barge
import BargePeripheral
import BluetoothSimulation

/// All simulated devices that nobody uses, on one radio, for whoever only listens: they advertise,
/// and take no links. Nothing of them is opened, so that a scan disturbs nobody.
final class SimulatedNeighborhood: Sendable {
    let radio: SimulatedRadio
    /// What those would say that do not advertise: another process uses them and they have a link,
    /// or their files cannot be used.
    let silent: [Advertisement]

    private init(world: sending SimulatedWorld, silent: [Advertisement]) {
        radio = SimulatedRadio(world: world)
        self.silent = silent
    }

    /// - Parameter console: who is told of devices that are in use or unusable; nil where that is
    ///   beside the point.
    static func open(
        stateDirectory: String, console: Console?
    ) async throws(Failure) -> SimulatedNeighborhood {
        let directory = SimulationDirectory(stateDirectory: stateDirectory)
        let world = SimulatedWorld(seed: 1)
        var silent: [Advertisement] = []
        for name in try directory.allNames() {
            do throws(Failure) {
                try SimulatedDevice.makeDemonstration(name, stateDirectory)
                let files = directory.files(of: name)
                let settings = try files.settings()
                var configuration = settings.configuration(name: name, try files.state())
                if case .process(let holder) = files.user() {
                    throw SimulationFailure.inUse(name, holder: holder)
                }
                // What runs on it would reboot; here nothing does.
                configuration.meanMicrosecondsBetweenResets = nil
                world.addDevice(
                    configuration,
                    application: Advertiser(settings.profile(name: name).advertisement))
            } catch {
                var advertisement = Advertisement(peer: PeerID("sim:" + name))
                advertisement.localName = name
                advertisement.serviceUUIDs = [BargeService.uuid]
                silent.append(advertisement)
                console?.errorLine(
                    "warning: sim:\(name) is left out: \(error.why.printable)")
            }
        }
        return SimulatedNeighborhood(world: world, silent: silent)
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

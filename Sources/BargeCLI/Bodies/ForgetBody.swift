import Barge
import BluetoothSimulation

extension ForgetCommand {
    @Sendable static func run(
        _ arguments: ParsedArguments, _ console: Console
    ) async throws(Failure) -> ExitCode {
        let device = arguments[ForgetCommand.device]
        let known = try KnownDevices.open(arguments)
        let listing = try known.listing(console)
        let meant = try await meant(device, listing, arguments, console)
        let dropped = try await drop(meant, known, arguments, console)
        guard !dropped.isNothing else { throw try nothingKnown(of: device, listing, arguments) }
        if console.settings.json {
            console.json(RecordSchema.forgotten.json(dropped, device: device))
        } else {
            console.news("forgot \(device.printable): \(dropped.words.joined(separator: ", "))")
        }
        return .done
    }

    /// What a word stands for: a simulated device, and what is remembered of it.
    private struct Meant {
        var simulatedName: String?
        var records: [KnownDevice]
    }

    private static func meant(
        _ device: String, _ listing: KnownDevices.Listing, _ arguments: ParsedArguments,
        _ console: Console
    ) async throws(Failure) -> Meant {
        if let name = device.simulatedName { return at(name, listing) }
        switch listing.device(named: device) {
        case .device(let known):
            let name = known.peers.lazy.compactMap(\.simulatedName).first
            return Meant(simulatedName: name, records: [known])
        case .ambiguous(let devices):
            throw DeviceResolver.ambiguous(device, devices)
        case .unknown:
            let peer = PeerID(device)
            if peer.isBluetoothAddress {
                return Meant(simulatedName: nil, records: listing.devices(at: peer))
            }
            let target = try await DeviceResolver(
                arguments, console, patience: SimulatedDevice.patience
            ).resolve(device)
            return at(target.simulatedName, listing)
        }
    }

    private static func at(_ name: String, _ listing: KnownDevices.Listing) -> Meant {
        Meant(
            simulatedName: name,
            records: listing.devices.filter { $0.peers.contains { $0.simulatedName == name } })
    }

    /// The keys of a simulated device are with the device: it is there for that. One that was
    /// removed has none.
    private static func drop(
        _ meant: Meant, _ known: KnownDevices, _ arguments: ParsedArguments, _ console: Console
    ) async throws(Failure) -> ForgottenDevice {
        var keys: [PeerID] = []
        let state = try StateLocation.path(arguments)
        if let name = meant.simulatedName,
            try SimulationDirectory(stateDirectory: state).exists(name)
        {
            let bench = try SimulatedBench(for: [name], stateDirectory: state, console: console)
            let peer = try await bench.enter(name, patience: SimulatedDevice.patience)
            let host = BargeHost(central: bench.radio.central)
            do throws(BargeError) {
                keys = try await host.forget(.peer(peer)).keys
            } catch {
                throw Failure(error)
            }
            try bench.leave(name)
        }
        guard !arguments[ForgetCommand.keys] else {
            return ForgottenDevice(keys: keys, known: [])
        }
        for record in meant.records {
            do throws(LocalFileError) {
                _ = try known.forget(serial: record.serial)
            } catch {
                throw Failure(state: error)
            }
        }
        return ForgottenDevice(keys: keys, known: meant.records)
    }

    private static func nothingKnown(
        of device: String, _ listing: KnownDevices.Listing, _ arguments: ParsedArguments
    ) throws(Failure) -> Failure {
        let directory = SimulationDirectory(stateDirectory: try StateLocation.path(arguments))
        let simulated = try directory.allNames().map { "sim:" + $0 }
        let near = NearMisses(of: device, among: listing.names + simulated)
        let hint = near.names.isEmpty ? "" : "; near: \(near.names.joined(separator: ", "))"
        let lacks =
            arguments[ForgetCommand.keys]
            ? "there are no keys of it" : "it is neither paired with nor remembered"
        return Failure(
            .notFound, "device-not-known", what: "nothing is known of '\(device)'",
            why: "\(lacks)\(hint)",
            advice: "see what is remembered: barge scan --known")
    }
}

extension ForgottenDevice {
    /// What was dropped, for a person.
    fileprivate var words: [String] {
        let aliases = known.compactMap { $0.alias.map { "its alias '\($0.text)'" } }
        let serials = known.map { "serial \($0.serial.printable)" }
        return (keys.isEmpty ? [] : ["its keys"]) + aliases + serials
    }
}

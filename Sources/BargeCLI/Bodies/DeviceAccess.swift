import Barge
import BluetoothSimulation

/// Opens what a device's name stands for, runs a body with a host that reaches it, and saves what
/// must outlast the process.
struct DeviceAccess {
    let arguments: ParsedArguments
    let console: Console
    let device: String

    /// - Throws: what `body` throws; and where no backend knows the name, why.
    func run<Value: Sendable>(
        _ body: (BargeHost<SimulatedCentral>, DeviceReference) async throws(BargeError) -> Value
    ) async throws(Failure) -> Value {
        let target = try await DeviceResolver(arguments, console).resolve(device)
        let bench = try SimulatedBench(
            for: [target.simulatedName], stateDirectory: try StateLocation.path(arguments),
            console: console)
        return try await Self.run(target, on: bench, arguments, console, body)
    }

    /// Runs a body with a device that comes to a bench for it, and goes again.
    ///
    /// - Parameter home: the actor of a run over many, which notes for itself where they were.
    static func run<Value: Sendable>(
        _ target: DeviceTarget, on bench: SimulatedBench, _ arguments: ParsedArguments,
        _ console: Console, home: (any Actor)? = nil,
        _ body: (BargeHost<SimulatedCentral>, DeviceReference) async throws(BargeError) -> Value
    ) async throws(Failure) -> Value {
        let settings = LinkSettings(arguments)
        let peer = try await bench.enter(target.simulatedName, patience: settings.stepTimeout)
        var host = BargeHost(central: bench.radio.central, options: HostOptions(settings))
        host.trace = console.trace
        host.home = home
        if home == nil { host.knownDevices = try KnownDevices.open(arguments) }
        host.pairing = SimulatedPerson.pairing(arguments, console, bench.radio)
        let result: Result<Value, BargeError>
        do throws(BargeError) {
            result = .success(try await body(host, target.reference(at: peer)))
        } catch {
            result = .failure(error)
        }
        try bench.leave(target.simulatedName)
        switch result {
        case .success(let value): return value
        case .failure(let error): throw Failure(error).advising(host.pairing)
        }
    }
}

extension Console {
    /// Where the library's trace goes: steps with `-v`, frames with `-vv`, all of it to `--log`.
    /// Nil where nobody would see it.
    fileprivate var trace: (@Sendable (TraceLine) -> Void)? {
        guard keepsDetails else { return nil }
        return { line in
            switch line.detail {
            case .step: self.detail(line.text, level: 1)
            case .frame: self.detail(line.text, level: 2)
            }
        }
    }
}

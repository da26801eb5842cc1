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
        guard let name = device.simulatedName else { throw Self.noBackend(for: device) }
        let settings = LinkSettings(arguments)
        let simulated = try await SimulatedDevice.open(
            name: name, stateDirectory: try StateLocation.path(arguments),
            patience: settings.stepTimeout, console: console)
        var host = BargeHost(central: simulated.radio.central, options: options(settings))
        host.trace = console.trace
        let result: Result<Value, BargeError>
        do throws(BargeError) {
            result = .success(try await body(host, .peer(simulated.peer)))
        } catch {
            result = .failure(error)
        }
        try simulated.save()
        switch result {
        case .success(let value): return value
        case .failure(let error): throw Failure(error)
        }
    }

    private func options(_ settings: LinkSettings) -> HostOptions {
        var options = HostOptions()
        options.security = SecurityLevel(settings.security)
        switch settings.transport {
        case .auto: options.transport = .automatic
        case .coc: options.transport = .coc
        case .gatt: options.transport = .gatt
        }
        options.psm = settings.psm.flatMap { PSM(UInt16(clamping: $0)) }
        options.psmCharacteristic = settings.psmCharacteristic.flatMap(BluetoothUUID.init)
        options.stepMicroseconds = settings.stepTimeout.microseconds
        options.giveUpMicroseconds = settings.giveUpAfter.microseconds
        return options
    }

    private static func noBackend(for device: String) -> Failure {
        Failure(
            .bluetoothUnavailable, "bluetooth-unavailable",
            what: "cannot reach '\(device)'",
            why: "this version of barge talks to simulated devices only",
            advice: "use sim:demo, or another device from 'barge sim list'")
    }
}

extension String {
    /// What follows `sim:`.
    var simulatedName: String? { hasPrefix("sim:") ? String(dropFirst(4)) : nil }
}

extension SecurityLevel {
    init(_ choice: SecurityChoice) {
        switch choice {
        case .none: self = .none
        case .encrypted: self = .encrypted
        case .authenticated: self = .authenticated
        case .fips: self = .fips
        }
    }
}

extension Duration {
    /// Whole microseconds; a negative duration is none.
    var microseconds: UInt64 {
        let parts = components
        guard parts.seconds >= 0, parts.attoseconds >= 0 else { return 0 }
        return UInt64(parts.seconds) * 1_000_000
            + UInt64(parts.attoseconds / 1_000_000_000_000)
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

import Barge
import BluetoothSimulation

/// One transfer of a command line: its device is reached, its events are told, and it is remembered
/// for `barge resume` until it is done or hopeless.
struct TransferRun {
    private let access: DeviceAccess
    private let memory: TransferMemory?
    private let teller: EventTeller

    /// - Parameters:
    ///   - localPath: the file on this computer; `-` for standard input or output, which nobody can
    ///     run again.
    ///   - name: what events call the image or file.
    init(
        _ verb: UnfinishedTransfer.Verb, _ arguments: ParsedArguments, _ console: Console,
        device: String, localPath: String, remote: UnfinishedTransfer.Remote, name: String
    ) throws(Failure) {
        access = DeviceAccess(arguments: arguments, console: console, device: device)
        memory = try TransferMemory(
            verb, arguments, console: console, localPath: localPath, remote: remote)
        teller = EventTeller(
            SingleAudience(console: console, device: device), console: console,
            security: arguments[LinkOptions.security],
            operation: verb, name: name, memory: memory)
    }

    /// Runs the transfer itself, which tells its events to the function that it is handed.
    func callAsFunction(
        _ transfer: (
            BargeHost<SimulatedCentral>, DeviceReference, @escaping (TransferEvent) -> Void
        ) async throws(BargeError) -> TransferSummary
    ) async throws(Failure) {
        try await memory.keeping { () throws(Failure) in
            _ = try await access.run { (host, reference) throws(BargeError) in
                try await transfer(host, reference) { teller.tell($0) }
            }
        }
    }
}

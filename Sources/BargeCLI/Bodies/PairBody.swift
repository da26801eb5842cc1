import Barge

extension PairCommand {
    @Sendable static func run(
        _ arguments: ParsedArguments, _ console: Console
    ) async throws(Failure) -> ExitCode {
        let device = arguments[PairCommand.device]
        let access = DeviceAccess(arguments: arguments, console: console, device: device)
        let paired = try await access.run { (host, reference) throws(BargeError) in
            try await host.pair(reference)
        }
        if console.settings.json {
            console.json(RecordSchema.paired.json(paired, device: device))
        } else {
            let verb = paired.wasPaired ? "already paired with" : "paired with"
            let level = paired.level.map { " at \($0.name)" } ?? ""
            console.news("\(verb) \(device.printable)\(level), serial \(paired.serial.printable)")
        }
        return .done
    }
}

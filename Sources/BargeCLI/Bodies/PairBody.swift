import Barge

extension PairCommand {
    @Sendable static func run(
        _ arguments: ParsedArguments, _ console: Console
    ) async throws(Failure) -> ExitCode {
        let device = arguments[PairCommand.device]
        let access = DeviceAccess(arguments: arguments, console: console, device: device)
        let paired = try await pair(access, arguments)
        if console.settings.json {
            console.json(RecordSchema.paired.json(paired, device: device))
        } else {
            let verb = paired.wasPaired ? "already paired with" : "paired with"
            let level = paired.level.map { " at \($0.name)" } ?? ""
            console.news("\(verb) \(device.printable)\(level), serial \(paired.serial.printable)")
        }
        return .done
    }

    /// At the level that the line asks for. Where it asks for none: what the device wants, and
    /// authenticated where there are answers to what that asks.
    private static func pair(
        _ access: DeviceAccess, _ arguments: ParsedArguments
    ) async throws(Failure) -> PairedDevice {
        let hasAnswers = arguments[LinkOptions.passkey] != nil || arguments[LinkOptions.yes]
        let isGiven = arguments.isGiven(LinkOptions.security)
        let asked = SecurityLevel(arguments[LinkOptions.security])
        do throws(Failure) {
            return try await pair(access, at: !isGiven && hasAnswers ? .authenticated : asked)
        } catch {
            guard !isGiven, !hasAnswers, Self.wantsMore.contains(error.identifier) else {
                throw error
            }
            return try await pair(access, at: .authenticated)
        }
    }

    private static func pair(
        _ access: DeviceAccess, at level: SecurityLevel
    ) async throws(Failure) -> PairedDevice {
        try await access.run { (host, reference) throws(BargeError) in
            var host = host
            host.options.security = level
            return try await host.pair(reference)
        }
    }

    /// The device was reached, and lets nobody in at this level.
    private static let wantsMore: Set<String> = ["channel-protected", "attribute-protected"]
}

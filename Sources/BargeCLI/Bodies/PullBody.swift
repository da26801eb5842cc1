import Barge

extension PullCommand {
    @Sendable static func run(
        _ arguments: ParsedArguments, _ console: Console
    ) async throws(Failure) -> ExitCode {
        let device = arguments[PullCommand.device]
        let name = arguments[PullCommand.name]
        let destination: DownloadDestination
        do throws(LocalFileError) {
            destination = try DownloadDestination(localPath: arguments[file], remoteName: name)
        } catch {
            throw Failure(BargeError(error))
        }
        let teller = EventTeller(
            console: console, device: device, security: arguments[LinkOptions.security],
            operation: .pull, name: name)
        let access = DeviceAccess(arguments: arguments, console: console, device: device)
        let overwrite = arguments[force]
        _ = try await access.run { (host, reference) throws(BargeError) in
            try await host.pull(
                name, from: reference, to: destination, overwrite: overwrite
            ) { teller.tell($0) }
        }
        return .done
    }
}

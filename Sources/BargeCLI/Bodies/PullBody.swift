import Barge

extension PullCommand {
    @Sendable static func run(
        _ arguments: ParsedArguments, _ console: Console
    ) async throws(Failure) -> ExitCode {
        let device = arguments[PullCommand.device]
        let name = arguments[PullCommand.name]
        let destination: DownloadDestination
        let localPath: String
        do throws(LocalFileError) {
            destination = try DownloadDestination(localPath: arguments[file], remoteName: name)
            localPath = try destination.absolutePath() ?? "-"
        } catch {
            throw Failure(BargeError(error))
        }
        let memory = try TransferMemory(
            .pull, arguments, console: console, localPath: localPath, remote: .file(name))
        let teller = EventTeller(
            console: console, device: device, security: arguments[LinkOptions.security],
            operation: .pull, name: name, memory: memory)
        let access = DeviceAccess(arguments: arguments, console: console, device: device)
        let overwrite = arguments[force]
        try await memory.keeping { () throws(Failure) in
            _ = try await access.run { (host, reference) throws(BargeError) in
                try await host.pull(
                    name, from: reference, to: destination, overwrite: overwrite
                ) { teller.tell($0) }
            }
        }
        return .done
    }
}

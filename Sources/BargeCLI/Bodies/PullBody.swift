import Barge

extension PullCommand {
    @Sendable static func run(
        _ arguments: ParsedArguments, _ console: Console
    ) async throws(Failure) -> ExitCode {
        let name = arguments[PullCommand.name]
        let device: String
        let file: String?
        switch PullCommand.way(arguments) {
        case .one(let one, let path): (device, file) = (one, path)
        case .many(let devices, let directory):
            device = devices.first ?? ""
            file = try DeviceFolder.make(for: device, in: directory)
        }
        let arguments = arguments.alone(device)
        let destination: DownloadDestination
        let localPath: String
        do throws(LocalFileError) {
            destination = try DownloadDestination(localPath: file, remoteName: name)
            localPath = try destination.absolutePath() ?? "-"
        } catch {
            throw Failure(BargeError(error))
        }
        let run = try TransferRun(
            .pull, arguments, console, device: device, localPath: localPath,
            remote: .file(name), name: name)
        let overwrite = arguments[force]
        try await run { (host, reference, events) throws(BargeError) in
            try await host.pull(
                name, from: reference, to: destination, overwrite: overwrite, events: events)
        }
        return .done
    }
}

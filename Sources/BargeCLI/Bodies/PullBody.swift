import Barge

extension PullCommand {
    @Sendable static func run(
        _ arguments: ParsedArguments, _ console: Console
    ) async throws(Failure) -> ExitCode {
        switch PullCommand.way(arguments) {
        case .one(let device, let file):
            return try await pull(from: device, to: file, arguments, console)
        case .many(let devices, let directory):
            return try await pull(from: devices, into: directory, arguments, console)
        }
    }

    private static func pull(
        from device: String, to file: String?, _ arguments: ParsedArguments, _ console: Console
    ) async throws(Failure) -> ExitCode {
        let name = arguments[PullCommand.name]
        let destination = try destination(of: name, file)
        let run = try TransferRun(
            .pull, arguments, console, device: device, localPath: try path(of: destination),
            remote: .file(name), name: name)
        let overwrite = arguments[force]
        try await run { (host, reference, events) throws(BargeError) in
            try await host.pull(
                name, from: reference, to: destination, overwrite: overwrite, events: events)
        }
        return .done
    }

    /// A directory for each device, which is there before its file comes.
    private static func pull(
        from devices: [String], into directory: String, _ arguments: ParsedArguments,
        _ console: Console
    ) async throws(Failure) -> ExitCode {
        let name = arguments[PullCommand.name]
        let overwrite = arguments[force]
        try DeviceFolder.makeRoot(directory)
        let fleet = FleetTransfer(
            verb: .pull, name: name, sha256: nil, remote: .file(name), arguments: arguments,
            console: console)
        return try await fleet.run(
            devices, localPath: { DeviceFolder.path(for: $0, in: directory, name) }
        ) { (host, reference, device, events) throws(BargeError) in
            let destination: DownloadDestination
            do throws(Failure) {
                let folder = try DeviceFolder.make(for: device, in: directory)
                destination = try self.destination(of: name, folder + "/")
            } catch {
                throw BargeError(
                    .localFile, error.identifier, what: error.what, why: error.why,
                    advice: error.advice)
            }
            return try await host.pull(
                name, from: reference, to: destination, overwrite: overwrite, events: events)
        }
    }

    private static func destination(
        of name: String, _ file: String?
    ) throws(Failure) -> DownloadDestination {
        do throws(LocalFileError) {
            return try DownloadDestination(localPath: file, remoteName: name)
        } catch {
            throw Failure(BargeError(error))
        }
    }

    /// From the root on; `-` for standard output.
    private static func path(of destination: DownloadDestination) throws(Failure) -> String {
        do throws(LocalFileError) {
            return try destination.absolutePath() ?? "-"
        } catch {
            throw Failure(BargeError(error))
        }
    }
}

import Barge

extension PushCommand {
    @Sendable static func run(
        _ arguments: ParsedArguments, _ console: Console
    ) async throws(Failure) -> ExitCode {
        let device = arguments[PushCommand.device]
        let source: UploadSource
        do throws(LocalFileError) {
            source =
                arguments[file] == "-"
                ? try UploadSource(standardInputSpooledIn: Self.spoolFolder)
                : try UploadSource(path: arguments[file])
        } catch {
            throw Failure(BargeError(error))
        }
        let name = arguments[PushCommand.name] ?? source.name
        let run = try TransferRun(
            .push, arguments, console, device: device, localPath: arguments[file],
            remote: .file(name), name: name)
        let level = CompressionOptions.zlibLevel(arguments)
        try await run { (host, reference, events) throws(BargeError) in
            var host = host
            host.options.compressionLevel = level
            return try await host.push(source, to: reference, as: name, events: events)
        }
        return .done
    }

    /// Where standard input is kept meanwhile. Not /tmp by itself: that is often memory.
    private static var spoolFolder: String { System.environment("TMPDIR") ?? "/var/tmp" }
}

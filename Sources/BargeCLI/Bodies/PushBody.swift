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
        let memory = try TransferMemory(
            .push, arguments, console: console, localPath: arguments[file], remote: .file(name))
        let teller = EventTeller(
            console: console, device: device, security: arguments[LinkOptions.security],
            operation: .push, name: name, memory: memory)
        let access = DeviceAccess(arguments: arguments, console: console, device: device)
        let level = CompressionOptions.zlibLevel(arguments)
        try await memory.keeping { () throws(Failure) in
            _ = try await access.run { (host, reference) throws(BargeError) in
                var host = host
                host.options.compressionLevel = level
                return try await host.push(source, to: reference, as: name) { teller.tell($0) }
            }
        }
        return .done
    }

    /// Where standard input is kept meanwhile. Not /tmp by itself: that is often memory.
    private static var spoolFolder: String { System.environment("TMPDIR") ?? "/var/tmp" }
}

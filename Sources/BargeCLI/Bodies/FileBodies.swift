import Barge

extension ListCommand {
    @Sendable static func run(
        _ arguments: ParsedArguments, _ console: Console
    ) async throws(Failure) -> ExitCode {
        let device = arguments[ListCommand.device]
        let access = DeviceAccess(arguments: arguments, console: console, device: device)
        let files = try await access.run { (host, reference) throws(BargeError) in
            try await host.files(on: reference)
        }
        if console.settings.json {
            for file in files {
                console.json(RecordSchema.object.json(file.listed, device: device))
            }
        } else if arguments[long] {
            console.lines(
                TextLayout.table(
                    files.map { [Quantity.bytes($0.size), $0.modified, $0.name.printable] }))
        } else {
            console.lines(files.map(\.name.printable))
        }
        return .done
    }
}

extension RemoveCommand {
    @Sendable static func run(
        _ arguments: ParsedArguments, _ console: Console
    ) async throws(Failure) -> ExitCode {
        let device = arguments[RemoveCommand.device]
        let access = DeviceAccess(arguments: arguments, console: console, device: device)
        var missing: Failure?
        for name in arguments[names] {
            do throws(Failure) {
                try await access.run { (host, reference) throws(BargeError) in
                    try await host.remove(name, on: reference)
                }
            } catch {
                // A file that is not there keeps no other from being removed.
                guard error.exitCode == .notFound, error.identifier == "not-found" else {
                    throw error
                }
                if let missing { console.report(missing) }
                missing = error
                continue
            }
            if console.settings.json {
                console.json(RecordSchema.removed.json(name, device: device))
            } else {
                console.news("removed \(name.printable)")
            }
        }
        if let missing { throw missing }
        return .done
    }
}

extension RemoteFile {
    fileprivate var listed: ListedObject {
        ListedObject(name: name, bytes: size, modifiedSeconds: modifiedSeconds)
    }

    fileprivate var modified: String {
        modifiedSeconds.map { CalendarTime(secondsSince1970: $0).text } ?? "-"
    }
}

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
        for name in arguments[names] {
            try await access.run { (host, reference) throws(BargeError) in
                try await host.remove(name, on: reference)
            }
            if console.settings.json {
                console.json(RecordSchema.removed.json(name, device: device))
            } else {
                console.news("removed \(name.printable)")
            }
        }
        return .done
    }
}

extension RemoteFile {
    fileprivate var listed: ListedObject {
        ListedObject(name: name, kind: "file", bytes: size, sha256: nil)
    }

    fileprivate var modified: String {
        modifiedSeconds.map { CalendarTime(secondsSince1970: $0).text } ?? "-"
    }
}

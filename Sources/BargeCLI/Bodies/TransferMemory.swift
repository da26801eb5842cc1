import Barge

/// Remembers a transfer from its first byte to its end, so that `barge resume` can take it up.
///
/// What is remembered is the command's own words, with its paths made absolute: resuming is running
/// the same command again.
final class TransferMemory {
    private let journal: TransferJournal
    private var transfer: UnfinishedTransfer
    private let console: Console
    private var entry: TransferJournal.Entry?
    private var lastNote = ContinuousClock.now

    /// Nil where standard input or output is the file: nobody can run that again.
    init?(
        _ verb: UnfinishedTransfer.Verb, _ arguments: ParsedArguments, console: Console,
        localPath: String, remote: UnfinishedTransfer.Remote
    ) throws(Failure) {
        guard localPath != "-" else { return nil }
        let localPath = System.absolutePath(localPath)
        journal = try TransferJournal.open(arguments)
        self.console = console
        let words = arguments.words(localPath: localPath)
        transfer = UnfinishedTransfer(
            verb: verb, device: arguments.device ?? "", localPath: localPath, remote: remote,
            options: words.map { UnfinishedTransfer.Option(key: Self.wordKey, value: $0) },
            startedAtSeconds: System.secondsSince1970())
    }

    /// Which device it is, whatever it was called on the line: by the time of `barge resume` that
    /// may be another one's name.
    func met(serial: String) {
        if !serial.isEmpty { transfer.deviceSerial = serial }
    }

    /// Bytes begin to move: from now on it is unfinished. A list that cannot be written costs a
    /// warning, not the transfer.
    func begin(length: UInt64) {
        guard entry == nil else { return }
        var transfer = transfer
        transfer.length = length
        do throws(LocalFileError) {
            entry = try journal.record(transfer)
        } catch {
            console.errorLine("'barge resume' will not know of this: \(error.why)")
        }
    }

    /// How far it is, for `barge resume --list`: each note waits for the disk, so there are few.
    func note(durableBytes: UInt64) {
        guard var entry, ContinuousClock.now - lastNote >= Self.notePause else { return }
        lastNote = .now
        // Only a hint: where to go on, the device itself tells.
        try? journal.update(&entry, durableBytes: durableBytes)
        self.entry = entry
    }

    /// It will never be done: not remembered, as far as this process did that.
    fileprivate func giveUp() {
        if entry != nil { end(isDone: false) }
    }

    /// It is done. An earlier process that was killed may have remembered it, and this one may have
    /// found nothing left to do: so the entry goes whoever made it.
    fileprivate func end(isDone: Bool = true) {
        do throws(LocalFileError) {
            try journal.remove(transfer)
            if isDone { try journal.removeSuperseded(by: transfer) }
        } catch {
            console.errorLine("'barge resume' will offer this again: \(error.why)")
        }
    }

    /// The words of a remembered command.
    static func words(of transfer: UnfinishedTransfer) -> [String] {
        transfer.options.filter { $0.key == wordKey }.map(\.value)
    }

    private static let wordKey = "word"
    private static let notePause = Duration.seconds(5)
}

extension ParsedArguments {
    /// The command as it would be typed, with its local path spelled from the root on and without
    /// what only says how to show it. A secret is not for a file: `barge resume` takes it anew.
    fileprivate func words(localPath: String) -> [String] {
        var words = path
        for option in command.options where option.value?.isSecret != true {
            for text in optionTexts[option.name] ?? [] {
                let isPath = Self.localOptions.contains(option.name)
                let value = isPath ? System.absolutePath(text) : text
                words.append("--\(option.name)" + (option.value == nil ? "" : "=\(value)"))
            }
        }
        words.append("--")
        for argument in command.arguments {
            let isPath = Self.localArguments.contains(argument.name)
            words += isPath ? [localPath] : argumentTexts[argument.name] ?? []
        }
        return words
    }

    /// The arguments that name a file on this computer.
    private static let localArguments: Set<String> = ["IMAGE", "FILE"]
    /// The options that do.
    private static let localOptions: Set<String> = ["key", PullCommand.into.declaration.name]
}

extension TransferJournal {
    /// The list of unfinished transfers in the state directory that a command line asks for.
    static func open(_ arguments: ParsedArguments) throws(Failure) -> TransferJournal {
        let state = try StateLocation.open(arguments)
        do throws(LocalFileError) {
            return try TransferJournal(state)
        } catch {
            throw Failure(state: error)
        }
    }
}

extension TransferMemory? {
    /// Runs a transfer, and forgets it unless running it again may finish it.
    func keeping<Value>(
        _ body: () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        do throws(Failure) {
            let value = try await body()
            self?.end()
            return value
        } catch {
            if error.endsTransfer { self?.giveUp() }
            throw error
        }
    }
}

extension Failure {
    /// Whether the same command will fail again until somebody has changed something: then nothing
    /// is gained by offering it again.
    var endsTransfer: Bool {
        switch exitCode {
        case .linkLost, .localInputOutput, .interrupted, .bluetoothUnavailable, .securityRefused,
            .bug:
            false
        // Out of range now is not gone for good, and neither is in use.
        case .notFound: identifier != "device-not-found"
        case .refusedByDevice: !["device-in-use", "busy"].contains(identifier)
        case .done, .usage, .verificationFailed, .outputClosed: true
        }
    }
}

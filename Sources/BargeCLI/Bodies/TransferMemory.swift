import Barge

/// Remembers a transfer from its first byte to its end, so that `barge resume` can take it up.
///
/// What is remembered is the command's own words, with its paths made absolute: resuming is running
/// the same command again.
final class TransferMemory {
    private let journal: TransferJournal
    private let transfer: UnfinishedTransfer
    private let console: Console
    private var entry: TransferJournal.Entry?

    /// - Parameter isRepeatable: false where standard input or output is the file: nobody can run
    ///   that again.
    init?(
        _ verb: UnfinishedTransfer.Verb, _ arguments: ParsedArguments, console: Console,
        localPath: String, remote: UnfinishedTransfer.Remote, isRepeatable: Bool = true
    ) throws(Failure) {
        guard isRepeatable else { return nil }
        do throws(LocalFileError) {
            journal = try TransferJournal(
                Barge.StateDirectory(path: try StateDirectory.openable(arguments)))
        } catch {
            throw Failure(BargeError(error))
        }
        self.console = console
        let words = arguments.words(replacing: localPath)
        transfer = UnfinishedTransfer(
            verb: verb, device: arguments.device ?? "", localPath: localPath, remote: remote,
            options: words.map { UnfinishedTransfer.Option(key: Self.wordKey, value: $0) },
            startedAtSeconds: System.secondsSince1970())
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

    /// It is done, or will never be.
    func end() {
        guard let entry else { return }
        do throws(LocalFileError) {
            try journal.remove(entry)
        } catch {
            console.errorLine("'barge resume' will offer this again: \(error.why)")
        }
    }

    /// Runs a transfer, and forgets it unless running it again may finish it.
    func keep<Value>(
        _ body: () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        do throws(Failure) {
            let value = try await body()
            end()
            return value
        } catch {
            switch error.exitCode {
            case .linkLost, .localInputOutput, .interrupted, .bluetoothUnavailable, .bug: break
            case .done, .usage, .notFound, .securityRefused, .refusedByDevice,
                .verificationFailed, .outputClosed:
                end()
            }
            throw error
        }
    }

    /// The words of a remembered command.
    static func words(of transfer: UnfinishedTransfer) -> [String] {
        transfer.options.filter { $0.key == wordKey }.map(\.value)
    }

    private static let wordKey = "word"
}

extension ParsedArguments {
    /// The command as it would be typed, with its local path spelled from the root on and without
    /// what only says how to show it.
    fileprivate func words(replacing localPath: String) -> [String] {
        var words = path
        for option in command.options {
            for text in optionTexts[option.name] ?? [] {
                words.append(option.takesValue ? "--\(option.name)=\(text)" : "--\(option.name)")
            }
        }
        words.append("--")
        for argument in command.arguments {
            let texts = argumentTexts[argument.name] ?? []
            words += Self.localArguments.contains(argument.name) ? [localPath] : texts
        }
        return words
    }

    /// The arguments that name a file on this computer.
    private static let localArguments: Set<String> = ["IMAGE", "FILE"]
}

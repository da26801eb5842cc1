/// The program: understands the command line, runs its command, and tells the shell how it went.
@main
enum EntryPoint {
    static func main() async {
        System.occupyStandardDescriptors()
        System.ignoreBrokenPipes()
        let words = System.commandLine().dropFirst()
        let texts = words.map(\.text)
        // Asked before the line is understood, so that its errors are events as well.
        let json = texts.prefix { $0 != "--" }.contains("--json")
        let early = Console.standard(json: json)
        do throws(Failure) {
            if texts.first == CompletionEngine.hiddenCommand {
                complete(Array(texts.dropFirst()), early)
                System.end(.done)
            }
            if let position = words.firstIndex(where: { !$0.isText }) {
                throw UsageFailure.notText(words[position].text, position: position)
            }
            let request = try ArgumentParser(root: BargeCommand.declaration).parse(texts)
            System.end(try await answer(request, early))
        } catch {
            early.report(error, device: nil)
            System.end(error.exitCode)
        }
    }

    private static func answer(
        _ request: ArgumentParser.Request, _ early: Console
    ) async throws(Failure) -> ExitCode {
        switch request {
        case .version: early.line("barge \(Version.text)")
        case .help(let path):
            let help = HelpText(
                root: BargeCommand.declaration, columns: early.helpColumns)
            early.lines(help.lines(for: path) ?? [])
        case .run(let arguments):
            return await run(arguments, try Console.standard(for: arguments))
        }
        return early.finalCode(.done)
    }

    /// Runs a command in a task that a signal cancels.
    private static func run(_ arguments: ParsedArguments, _ console: Console) async -> ExitCode {
        guard let body = CommandTable.standard.body(for: arguments.path) else {
            console.report(Self.missingBody(arguments), device: arguments.device)
            return .bug
        }
        let interruption = Interruption()
        let task = Task { () async -> Result<ExitCode, Failure> in
            do throws(Failure) {
                return .success(try await body(arguments, console))
            } catch {
                return .failure(error)
            }
        }
        interruption.onRequest {
            console.errorLine("stopping tidily; a second Ctrl-C or signal stops at once")
            task.cancel()
        }
        let result = await task.value
        console.settle()
        return console.finalCode(
            code(for: result, arguments, console, wasInterrupted: interruption.isRequested))
    }

    /// The exit code, once a failure has been told. What fails because it was canceled is not a
    /// failure of its own: it was interrupted. What ended well in spite of a signal did end well.
    private static func code(
        for result: Result<ExitCode, Failure>, _ arguments: ParsedArguments, _ console: Console,
        wasInterrupted: Bool
    ) -> ExitCode {
        switch result {
        case .success(let code):
            return wasInterrupted && code != .done ? .interrupted : code
        case .failure(let failure):
            // The reader went away: nobody is there to be told.
            if failure.exitCode == .outputClosed { return .outputClosed }
            let told = wasInterrupted && mayComeFromCancellation(failure) ? interrupted : failure
            console.report(told, device: arguments.device)
            return told.exitCode
        }
    }

    private static func mayComeFromCancellation(_ failure: Failure) -> Bool {
        switch failure.exitCode {
        case .bug, .notFound, .bluetoothUnavailable, .linkLost, .localInputOutput, .interrupted:
            true
        case .done, .usage, .securityRefused, .refusedByDevice, .verificationFailed,
            .outputClosed:
            false
        }
    }

    private static let interrupted = Failure(
        .interrupted, "interrupted", what: "interrupted",
        why: "Ctrl-C or another signal asked barge to stop",
        advice: "run the same command again to go on where it was")

    private static func missingBody(_ arguments: ParsedArguments) -> Failure {
        let words = arguments.path.joined(separator: " ")
        return Failure(
            .bug, "no-body", what: "'barge \(words)' does nothing yet",
            why: "this build has no code for it", advice: "report it, with 'barge --version'")
    }

    /// Answers a shell. Whatever goes wrong, it gets no candidates and no message.
    private static func complete(_ words: [String], _ console: Console) {
        let engine = CompletionEngine(
            root: BargeCommand.declaration,
            devices: { given in
                let directory = try? StateLocation.path(
                    given: given, environment: System.environment)
                return directory.map(CommandTable.standard.devices) ?? []
            })
        console.lines(engine.answer(Array(words.dropFirst(words.first == "--" ? 1 : 0))))
    }
}

/// The version of this program.
enum Version {
    static let text = "0.1.0"
}

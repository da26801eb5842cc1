import Synchronization

@testable import BargeCLI

/// A console that a test reads, and whose standard error it can wait for.
final class RecordingConsole: Sendable {
    let console: Console
    private let recorded: Recorded

    private final class Recorded: Sendable {
        let text = Mutex("")
        let output = Mutex("")
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
    }

    init(
        _ settings: Console.Settings = Console.Settings(), columns: Int? = nil, rows: Int? = nil
    ) {
        let recorded = Recorded()
        self.recorded = recorded
        let errors = LineWriter(
            writeOnce: { bytes in
                recorded.text.withLock { $0 += String(decoding: bytes, as: UTF8.self) }
                recorded.continuation.yield()
                return .wrote(bytes.count)
            }, waitUntilWritable: {})
        let output = LineWriter(
            writeOnce: { bytes in
                recorded.output.withLock { $0 += String(decoding: bytes, as: UTF8.self) }
                return .wrote(bytes.count)
            }, waitUntilWritable: {})
        console = Console(
            settings: settings, output: output, errors: errors, log: nil,
            columns: { columns }, rows: { rows })
    }

    var output: String { recorded.output.withLock { $0 } }
    var errors: String { recorded.text.withLock { $0 } }

    /// Waits until something was written to standard error.
    func waitForError() async {
        for await _ in recorded.stream { return }
    }
}

import Synchronization

@testable import BargeCLI

/// A console whose standard error a test reads, and can wait for.
final class RecordingConsole: Sendable {
    let console: Console
    private let recorded: Recorded

    private final class Recorded: Sendable {
        let text = Mutex("")
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
    }

    init() {
        let recorded = Recorded()
        self.recorded = recorded
        let errors = LineWriter(
            writeOnce: { bytes in
                recorded.text.withLock { $0 += String(decoding: bytes, as: UTF8.self) }
                recorded.continuation.yield()
                return .wrote(bytes.count)
            }, waitUntilWritable: {})
        let output = LineWriter(writeOnce: { .wrote($0.count) }, waitUntilWritable: {})
        console = Console(
            settings: Console.Settings(), output: output, errors: errors, log: nil,
            columns: { nil })
    }

    var errors: String { recorded.text.withLock { $0 } }

    /// Waits until something was written to standard error.
    func waitForError() async {
        for await _ in recorded.stream { return }
    }
}

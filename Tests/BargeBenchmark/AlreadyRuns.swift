import Barge

/// Flashing what runs already: how long it takes, and what it sends.
enum AlreadyRuns {
    static func measure(_ settings: Settings) async throws -> [Figure] {
        let bench = try Bench()
        let image = UploadSource(bytes: Noise(seed: 9).bytes(790_000), name: "image")
        _ = try await bench.host.flash(image, to: bench.device)
        var payloadBytes: UInt64 = 0
        let (seconds, summary) = try await timed {
            // A new process would read and digest the file too.
            let image = UploadSource(bytes: Noise(seed: 9).bytes(790_000), name: "image")
            return try await bench.host.flash(image, to: bench.device) {
                if case .progress(let progress) = $0 { payloadBytes = progress.movedBytes }
            }
        }
        let isMet = summary.result == .alreadyInstalled && payloadBytes == 0 && seconds < 0.1
        return [
            Figure(
                what: "flashing what runs already, 790 kB", goal: "0 bytes of it, < 100 ms",
                measured: "\(payloadBytes) bytes (\(summary.sentBytes) in all), "
                    + "\((seconds * 1000).text(1)) ms, \(summary.result.rawValue)", isMet: isMet)
        ]
    }
}

/// How a run over many devices went, in numbers. Each device is counted in one of four.
public struct FleetSummary: Hashable, Sendable {
    /// Devices for which something was done.
    public var succeeded = 0
    /// Devices that were as they should be before, so that nothing was sent.
    public var skipped = 0
    /// Devices that failed.
    public var failed = 0
    /// Devices whose turn never came.
    public var notStarted = 0

    /// All devices.
    public var total: Int { succeeded + skipped + failed + notStarted }

    /// Nothing yet.
    public init() {}

    /// Counts results. `isSkipped` says whether a success was one before the run.
    public init<ID, Value, Failure>(
        _ results: some Sequence<FleetResult<ID, Value, Failure>>, isSkipped: (Value) -> Bool
    ) {
        for result in results {
            switch result.outcome {
            case .succeeded(let value) where isSkipped(value): skipped += 1
            case .succeeded: succeeded += 1
            case .failed: failed += 1
            case .notStarted: notStarted += 1
            }
        }
    }

    /// Counts the results of transfers.
    public init<ID, Failure>(_ results: some Sequence<FleetResult<ID, TransferSummary, Failure>>) {
        self.init(results) { $0.result.wasDoneBefore }
    }
}

extension TransferSummary.Result {
    /// Whether nothing had to be sent.
    public var wasDoneBefore: Bool {
        switch self {
        case .alreadyInstalled, .unchanged: true
        case .installed, .copied: false
        }
    }
}

import Barge

/// The events that only a run over many devices has, beside those of its transfers.
enum FleetEventSchema {
    static let all: [EventDescription] = [skipped.description, fleet.description]

    static let skipped = EventSchema<FleetHalt>(
        name: "device-not-done",
        meaning: "This device among many is not done: its turn never came, or it was interrupted",
        fields: [
            EventField(
                "reason", .choice(FleetHalt.allCases.map(\.rawValue)), "why it is not done"
            ) { .string($0.rawValue) }
        ])

    static let fleet = EventSchema<FleetEnd>(
        name: "fleet", meaning: "All devices of a run over many have ended; \"device\" is null",
        fields: [
            EventField("total", .integer, "how many devices, each counted in one of the next four")
            { count($0.summary.total) },
            EventField("succeeded", .integer, "those for which something was done") {
                count($0.summary.succeeded)
            },
            EventField("failed", .integer, "those that ended with 'failed'") {
                count($0.summary.failed)
            },
            EventField(
                "unchanged", .integer, "those that had it already, so that nothing was sent"
            ) { count($0.summary.skipped) },
            EventField("notDone", .integer, "those that ended with 'device-not-done'") {
                count($0.summary.notStarted)
            },
            EventField("seconds", .number, "time since the start on this computer's clock") {
                .number($0.seconds)
            },
            EventField("exitCode", .integer, "that of the worst device") {
                .integer(Int64($0.exitCode.rawValue))
            },
        ])

    private static func count(_ number: Int) -> JSONValue { .integer(Int64(number)) }
}

/// How a run over many devices ended.
struct FleetEnd: Equatable, Sendable {
    var summary: FleetSummary
    /// Time on the computer's clock.
    var seconds: Double
    /// That of the worst device.
    var exitCode: ExitCode
}

extension FleetHalt {
    /// For a person.
    var words: String {
        switch self {
        case .canaryFailed: "one of the first devices failed"
        case .tooManyFailures: "too many failures"
        case .interrupted: "interrupted"
        }
    }
}

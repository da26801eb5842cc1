import Barge

/// What a run over many devices leaves in writing.
struct FleetReport: Equatable, Sendable {
    var verb: UnfinishedTransfer.Verb
    /// The name of the image, or of the file on the devices.
    var name: String
    /// The SHA-256 of the image in lower case hexadecimal; absent where each device has its own.
    var sha256: String?
    /// In seconds since 1970.
    var startedSeconds: UInt64
    /// In seconds since 1970.
    var endedSeconds: UInt64
    /// Time on this computer's clock.
    var seconds: Double
    var exitCode: ExitCode
    /// In the order of the devices on the line.
    var devices: [Device]

    /// What came of one device.
    struct Device: Equatable, Sendable {
        /// As the user named it.
        var device: String
        var outcome: Outcome
        /// The device's own word for itself, where it was heard.
        var serial: String?
        /// The raw offset reached, if any byte moved.
        var bytes: UInt64?
        /// All bytes put on the pipe, headers included, if any.
        var sentBytes: UInt64?
        /// Time on this computer's clock, if it started.
        var seconds: Double?
        /// How often a link was tried; 0 if it never started.
        var attempts: Int
    }

    /// How a device ended.
    enum Outcome: Equatable, Sendable {
        case done(TransferResult.Outcome)
        case failed(Failure)
        case notStarted(FleetHalt)

        /// One word for scripts.
        var word: String {
            switch self {
            case .done(let outcome): outcome.rawValue
            case .failed: "failed"
            case .notStarted: "not-done"
            }
        }

        static let words =
            TransferResult.Outcome.allCases.map(\.rawValue) + ["failed", "not-done"]

        /// A stable identifier of what went wrong.
        var error: String? {
            switch self {
            case .done: nil
            case .failed(let failure): failure.identifier
            case .notStarted(let halt): halt.rawValue
            }
        }

        /// What went wrong, for a person.
        var reason: String? {
            switch self {
            case .done: nil
            case .failed(let failure): "\(failure.what): \(failure.why)"
            case .notStarted(let halt): halt.words
            }
        }
    }
}

extension FleetReport {
    /// The report as one JSON object.
    var json: JSONValue { Self.object(Self.fields, self) }

    /// The members of the object: documentation and encoder in one, so that they agree.
    static let fields: [EventField<FleetReport>] = [
        EventField("started", .string, "the time in UTC, as ISO 8601 writes it") {
            .string(CalendarTime(secondsSince1970: $0.startedSeconds).iso8601)
        },
        EventField("ended", .string, "the time in UTC, as ISO 8601 writes it") {
            .string(CalendarTime(secondsSince1970: $0.endedSeconds).iso8601)
        },
        EventField("seconds", .number, "time on this computer's clock") { .number($0.seconds) },
        EventField(
            "verb", .choice(UnfinishedTransfer.Verb.allCases.map(\.rawValue)), "the command"
        ) { .string($0.verb.rawValue) },
        EventField("name", .string, "the name of the image or file") { .string($0.name) },
        EventField("sha256", .nullable(.string), "the digest of the image; null for 'pull'") {
            .string(orNull: $0.sha256)
        },
        EventField("exitCode", .integer, "that of the worst device") {
            .integer(Int64($0.exitCode.rawValue))
        },
        EventField("devices", .array, "an object for each device, with the members below") {
            .array($0.devices.map { object(deviceFields, $0) })
        },
    ]

    /// The members of each object in `devices`.
    static let deviceFields: [EventField<Device>] = [
        EventField("device", .string, "the device as you named it") { .string($0.device) },
        EventField("serial", .nullable(.string), "the device's own word for itself") {
            .string(orNull: $0.serial)
        },
        EventField("result", .choice(Outcome.words), "what came of it") {
            .string($0.outcome.word)
        },
        EventField(
            "error", .nullable(.string), "a stable identifier of what went wrong"
        ) { .string(orNull: $0.outcome.error) },
        EventField("reason", .nullable(.string), "what went wrong, for a person") {
            .string(orNull: $0.outcome.reason)
        },
        EventField("bytes", .nullable(.integer), "the raw offset reached") {
            .unsigned(orNull: $0.bytes)
        },
        EventField("sentBytes", .nullable(.integer), "all bytes put on the pipe") {
            .unsigned(orNull: $0.sentBytes)
        },
        EventField("seconds", .nullable(.number), "time on this computer's clock") {
            .number(orNull: $0.seconds)
        },
        EventField("attempts", .integer, "how often a link was tried, 0 if it never started") {
            .integer(Int64($0.attempts))
        },
    ]

    private static func object<Payload>(
        _ fields: [EventField<Payload>], _ payload: Payload
    ) -> JSONValue {
        .object(
            fields.compactMap { field in
                field.value(payload).map { JSONMember(field.description.name, $0) }
            })
    }
}

import Barge

extension ReportedEvent {
    /// The event as one JSON object.
    ///
    /// - Parameter device: the device as the user named it; `nil` if none is involved.
    func json(device: String?) -> JSONValue {
        switch self {
        case .scanning: TransferEventSchema.scanning.json((), device: device)
        case .connected(let link): TransferEventSchema.connected.json(link, device: device)
        case .route(let route): TransferEventSchema.route.json(route, device: device)
        case .started(let start): TransferEventSchema.started.json(start, device: device)
        case .progress(let progress):
            TransferEventSchema.progress.json(progress, device: device)
        case .durable(let offset): TransferEventSchema.durable.json(offset, device: device)
        case .verifying: TransferEventSchema.verifying.json((), device: device)
        case .rebooting: TransferEventSchema.rebooting.json((), device: device)
        case .finished(let result): TransferEventSchema.finished.json(result, device: device)
        case .failed(let failure): TransferEventSchema.failed.json(failure, device: device)
        }
    }
}

/// The events of transfers. A field never changes its meaning; new ones may come.
enum TransferEventSchema {
    static let all: [EventDescription] = [
        scanning.description, connected.description, route.description, started.description,
        progress.description, durable.description, verifying.description,
        rebooting.description, finished.description, failed.description,
    ]

    static let scanning = EventSchema<Void>(
        name: "scanning", meaning: "Barge looks for the device", fields: [])
    static let verifying = EventSchema<Void>(
        name: "verifying", meaning: "The receiver reads everything back and compares digests",
        fields: [])
    static let rebooting = EventSchema<Void>(
        name: "rebooting", meaning: "The device resets into the new image", fields: [])

    static let connected = EventSchema<ConnectedLink>(
        name: "connected", meaning: "The link is up and as secure as was asked for",
        fields: [
            EventField(
                "security", .nullable(.choice(SecurityChoice.allCases.map(\.rawValue))),
                "the level that was reached"
            ) { .string(orNull: $0.security?.rawValue) },
            EventField("attMTU", .nullable(.integer), "the ATT MTU") {
                .integer(orNull: $0.attMTU)
            },
            EventField("phy", .nullable(.string), "the physical layer: 1m, 2m, coded-s2, coded-s8")
            { .string(orNull: $0.phy) },
            EventField("intervalMilliseconds", .nullable(.number), "the connection interval") {
                .number(orNull: $0.intervalMilliseconds)
            },
        ])

    static let route = EventSchema<RouteChoice>(
        name: "route", meaning: "The way that the bytes take is known",
        fields: routeFields { $0 } + [
            EventField("psm", .nullable(.integer), "the PSM of the channel") {
                .integer(orNull: $0.psm)
            },
            EventField("writeLength", .nullable(.integer), "the largest SDU or ATT value, in bytes")
            { .integer(orNull: $0.writeLength) },
            EventField(
                "serial", .nullable(.string),
                "the device's own word for itself, which outlasts its address"
            ) { .string(orNull: $0.serial) },
        ])

    static let started = EventSchema<StartedTransfer>(
        name: "started", meaning: "The first byte of cargo is about to go",
        fields: [
            EventField(
                "operation", .choice(StartedTransfer.Operation.allCases.map(\.rawValue)),
                "the command"
            ) { .string($0.operation.rawValue) },
            EventField("name", .string, "the name of the image or file") { .string($0.name) },
            EventField("bytes", .nullable(.integer), "the raw size; null for a stream") {
                .unsigned(orNull: $0.bytes)
            },
            EventField("resumedFrom", .integer, "the offset at which it goes on, 0 if none") {
                .unsigned($0.resumedFrom)
            },
        ])

    static let progress = EventSchema<ReportedProgress>(
        name: "progress", meaning: "More bytes went; told ten times a second at most",
        fields: [
            EventField("bytes", .integer, "the raw offset reached") { .unsigned($0.bytes) },
            EventField("totalBytes", .nullable(.integer), "the raw size; null for a stream") {
                .unsigned(orNull: $0.totalBytes)
            },
            EventField("sentBytes", .integer, "all bytes put on the pipe so far") {
                .unsigned($0.sentBytes)
            },
            EventField("bytesPerSecond", .nullable(.number), "raw bytes a second, lately") {
                .number(orNull: $0.bytesPerSecond)
            },
            EventField("secondsLeft", .nullable(.number), "time to the end at that rate") {
                .number(orNull: $0.secondsLeft)
            },
            EventField("seconds", .number, "time since the start") { .number($0.seconds) },
        ])

    static let durable = EventSchema<UInt64>(
        name: "durable", meaning: "The receiver keeps all before the offset, whatever happens",
        fields: [EventField("offset", .integer, "the raw offset") { .unsigned($0) }])

    static let finished = EventSchema<TransferResult>(
        name: "finished",
        meaning:
            "The transfer ended well; the exit code is 0, or of many devices the worst",
        fields: [
            EventField(
                "result", .choice(TransferResult.Outcome.allCases.map(\.rawValue)),
                "what was done"
            ) { .string($0.outcome.rawValue) },
            EventField("bytes", .integer, "the raw size") { .unsigned($0.bytes) },
            EventField("sentBytes", .integer, "all bytes put on the pipe, headers included") {
                .unsigned($0.sentBytes)
            },
            EventField("resumedFrom", .integer, "the offset at which it went on, 0 if none") {
                .unsigned($0.resumedFrom)
            },
        ] + routeFields { $0.route } + [
            EventField("sha256", .string, "the digest, in lower case hexadecimal") {
                .string($0.sha256)
            },
            EventField("seconds", .number, "time on this computer's clock") {
                .number($0.seconds)
            },
            EventField(
                "linkSeconds", .nullable(.number), "time on the simulated air; null on a real one"
            ) { .number(orNull: $0.linkSeconds) },
        ])

    static let failed = EventSchema<Failure>(
        name: "failed",
        meaning:
            "The command ended otherwise; nothing follows, or of many devices nothing of this one",
        fields: [
            EventField("exitCode", .integer, "see 'barge help exit-codes'") {
                .integer(Int64($0.exitCode.rawValue))
            },
            EventField("error", .string, "a stable identifier, such as unknown-option") {
                .string($0.identifier)
            },
            EventField("reason", .string, "what failed and why, for a person") {
                .string("\($0.what): \($0.why)")
            },
            EventField("advice", .string, "what to do next, for a person") {
                .string($0.advice)
            },
        ])

    /// `route`, followed by `reason` when it is not `coc`.
    private static func routeFields<Payload>(
        _ choice: @escaping @Sendable (Payload) -> RouteChoice
    ) -> [EventField<Payload>] {
        [
            EventField(
                "route", .choice(Route.allCases.map(\.rawValue)), "the way of the bytes"
            ) { .string(choice($0).route.rawValue) },
            EventField(
                "reason", .string, onlyIf: "route is not coc", "why it is not the channel"
            ) { payload in
                let choice = choice(payload)
                switch choice.route {
                case .coc: return nil
                case .gatt: return .string(choice.reason ?? "")
                }
            },
        ]
    }
}

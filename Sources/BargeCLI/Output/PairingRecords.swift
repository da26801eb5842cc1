import Barge

extension RecordSchema {
    static let paired = EventSchema<PairedDevice>(
        name: "paired", meaning: "'barge pair' ended well",
        fields: [
            EventField("serial", .string, "the device's own word for itself") {
                .string($0.serial)
            },
            EventField(
                "level",
                .nullable(.choice(SecurityChoice.allCases.map(\.rawValue))),
                "what the link has reached"
            ) { .string(orNull: $0.level?.name) },
            EventField("already", .boolean, "whether the keys were there before") {
                .boolean($0.wasPaired)
            },
        ])

    static let forgotten = EventSchema<ForgottenDevice>(
        name: "forgotten", meaning: "'barge forget' dropped what was known of a device",
        fields: [
            EventField("keys", .boolean, "whether this computer had keys of it") {
                .boolean(!$0.keys.isEmpty)
            },
            EventField("serial", .nullable(.string), "the serial that was remembered") {
                .string(orNull: $0.known.first?.serial)
            },
            EventField("alias", .nullable(.string), "the alias that was remembered") {
                .string(orNull: $0.known.first?.alias?.text)
            },
        ])
}

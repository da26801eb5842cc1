import Barge

extension RecordSchema {
    static let found = EventSchema<FoundDevice>(
        name: "found", meaning: "'barge scan' heard a device; \"device\" is what to call it",
        fields: [
            EventField("name", .nullable(.string), "the advertised name") {
                .string(orNull: $0.name)
            },
            EventField("rssi", .nullable(.integer), "the signal in dBm") {
                .integer(orNull: $0.rssi)
            },
            EventField("speaksBarge", .boolean, "whether it advertises the barge service") {
                .boolean($0.speaksBarge)
            },
            EventField("alias", .nullable(.string), "what its user calls it") {
                .string(orNull: $0.alias)
            },
            EventField("serial", .nullable(.string), "its serial, if it was talked to here") {
                .string(orNull: $0.serial)
            },
            EventField("serviceUUIDs", .array, "the services that it announces") {
                .array($0.serviceUUIDs.map { .string($0) })
            },
            EventField(
                "manufacturer", .nullable(.string), "a company and its data, as 0x0059:01FF"
            ) { .string(orNull: $0.manufacturer) },
            EventField(
                "serviceData", .object, "the data of services, in hexadecimal, by their UUID"
            ) { .object($0.serviceData) },
        ])

    static let known = EventSchema<KnownDevice>(
        name: "known", meaning: "'barge scan --known' found a device that is remembered",
        fields: knownFields)

    static let remembered = EventSchema<KnownDevice>(
        name: "remembered", meaning: "'barge scan --remember' has given a device its alias",
        fields: knownFields)

    private static let knownFields: [EventField<KnownDevice>] = [
        EventField("alias", .nullable(.string), "what its user calls it") {
            .string(orNull: $0.alias?.text)
        },
        EventField("serial", .string, "its own word for itself") { .string($0.serial) },
        EventField("model", .string, "what kind of device it is") { .string($0.model) },
        EventField("name", .nullable(.string), "the name that it advertised last") {
            .string(orNull: $0.name)
        },
        EventField("addresses", .array, "where it was, the latest first") {
            .array($0.peers.map { .string($0.rawValue) })
        },
        EventField("lastSeenSeconds", .integer, "when, in seconds since 1970") {
            .unsigned($0.lastSeenSeconds)
        },
    ]
}

/// A device that `barge scan` heard.
struct FoundDevice: Equatable, Sendable {
    var name: String?
    /// In dBm.
    var rssi: Int?
    var speaksBarge: Bool
    var alias: String?
    var serial: String?
    var serviceUUIDs: [String] = []
    var manufacturer: String?
    var serviceData: [JSONMember] = []
}

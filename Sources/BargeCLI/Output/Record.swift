import Barge

/// What commands without a transfer answer with `--json`: one object for each thing they found.
enum RecordSchema {
    static let all: [EventDescription] = [
        found.description, known.description, remembered.description, paired.description,
        forgotten.description, information.description,
        object.description, removed.description,
        unfinished.description, image.description, simulated.description,
    ]

    static let information = EventSchema<[Fact]>(
        name: "information", meaning: "'barge info' asked a device",
        fields: [factsField], facts: FactWords.information)

    static let object = EventSchema<ListedObject>(
        name: "object", meaning: "'barge ls' found a file or log on the device",
        fields: [
            EventField("name", .string, "its name") { .string($0.name) },
            EventField("kind", .string, "file; other kinds may come") { .string($0.kind) },
            EventField("bytes", .integer, "its size") { .unsigned($0.bytes) },
            EventField(
                "modifiedSeconds", .nullable(.integer), "its last change, in seconds since 1970"
            ) { .unsigned(orNull: $0.modifiedSeconds) },
            EventField("sha256", .nullable(.string), "its digest, if the device told") {
                .string(orNull: $0.sha256)
            },
        ])

    static let removed = EventSchema<String>(
        name: "removed",
        meaning: "A file, a simulated device, or the memory of an unfinished transfer is gone",
        fields: [EventField("name", .string, "its name") { .string($0) }])

    static let unfinished = EventSchema<UnfinishedRecord>(
        name: "unfinished", meaning: "'barge resume --list' found a transfer that was cut short",
        fields: [
            EventField(
                "operation", .choice(StartedTransfer.Operation.allCases.map(\.rawValue)),
                "the command"
            ) { .string($0.operation.rawValue) },
            EventField("name", .string, "the name of the image or file") { .string($0.name) },
            EventField("path", .string, "the file on this computer") { .string($0.path) },
            EventField("bytes", .nullable(.integer), "the raw size") {
                .unsigned(orNull: $0.bytes)
            },
            EventField("offset", .nullable(.integer), "how far it came, if known") {
                .unsigned(orNull: $0.offset)
            },
        ])

    static let image = EventSchema<[Fact]>(
        name: "image", meaning: "'barge image' looked into a file; \"device\" is null",
        fields: [factsField], facts: FactWords.image)

    static let simulated = EventSchema<[Fact]>(
        name: "simulated", meaning: "'barge sim' made, listed, rebooted or unpaired a device",
        fields: [factsField], facts: FactWords.simulated)

    private static let factsField = EventField<[Fact]>(
        "facts", .object, "what is known, under the names below"
    ) { facts in .object(facts.map { JSONMember($0.name, $0.value) }) }
}

/// A file or a log on a device.
struct ListedObject: Equatable, Sendable {
    var name: String
    /// `file`: the protocol tells no other kinds apart.
    var kind = "file"
    var bytes: UInt64
    /// Since 1970; absent where the device does not know.
    var modifiedSeconds: UInt64?
    var sha256: String?
}

/// A transfer that an earlier run left unfinished.
struct UnfinishedRecord: Equatable, Sendable {
    var operation: StartedTransfer.Operation
    var name: String
    var path: String
    var bytes: UInt64?
    var offset: UInt64?
}

/// One thing known, for people and for scripts.
struct Fact: Equatable, Sendable {
    /// The name for scripts: `imageSize`.
    let name: String
    /// The name for people: `image size`.
    let label: String
    let value: JSONValue
    /// The value for people: `790 kB`.
    let text: String

    init(_ name: String, label: String, _ value: JSONValue, text: String) {
        self.name = name
        self.label = label
        self.value = value
        self.text = text
    }

    /// Labels and values in two columns.
    static func lines(_ facts: [Fact]) -> [String] {
        TextLayout.table(facts.map { [$0.label + ":", $0.text.printable] })
    }
}

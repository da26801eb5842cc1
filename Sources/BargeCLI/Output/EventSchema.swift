/// One field of a JSON event: its description for `barge help json`, and its value.
struct EventField<Payload>: Sendable {
    let description: FieldDescription
    /// The value; `nil` leaves the field out.
    let value: @Sendable (Payload) -> JSONValue?

    /// - Parameter onlyIf: when the field is there, for a field that is not always.
    init(
        _ name: String, _ type: FieldType, onlyIf: String? = nil, _ meaning: String,
        value: @escaping @Sendable (Payload) -> JSONValue?
    ) {
        description = FieldDescription(
            name: name, type: type, presence: onlyIf, meaning: meaning)
        self.value = value
    }
}

/// A field as a reader of the documentation sees it.
struct FieldDescription: Equatable, Sendable {
    let name: String
    let type: FieldType
    /// When the field is there; `nil` is always.
    let presence: String?
    /// A phrase without a full stop.
    let meaning: String
}

/// The JSON types that fields have.
enum FieldType: Equatable, Sendable {
    case string, integer, number, boolean, object, array
    /// `null` stands for what is not known.
    indirect case nullable(FieldType)
    /// One of these strings.
    case choice([String])

    var description: String {
        switch self {
        case .string: "string"
        case .integer: "integer"
        case .number: "number"
        case .boolean: "true or false"
        case .object: "object"
        case .array: "array"
        case .nullable(let type): type.description + " or null"
        case .choice(let words): words.map { "\"\($0)\"" }.joined(separator: ", ")
        }
    }

    /// Whether a value is of this type.
    func admits(_ value: JSONValue) -> Bool {
        switch (self, value) {
        case (.nullable, .null), (.string, .string), (.integer, .integer), (.integer, .unsigned),
            (.number, .number), (.boolean, .boolean), (.object, .object), (.array, .array):
            true
        case (.nullable(let type), _): type.admits(value)
        case (.choice(let words), .string(let word)): words.contains(word)
        case (.string, _), (.integer, _), (.number, _), (.boolean, _), (.object, _),
            (.array, _), (.choice, _):
            false
        }
    }
}

/// An event as a reader of the documentation sees it.
struct EventDescription: Sendable {
    let name: String
    let meaning: String
    let fields: [FieldDescription]
    /// What its field `facts` has, where there is one.
    let facts: [FieldDescription]
}

/// An event of a certain payload: documentation and encoder in one, so that they agree.
struct EventSchema<Payload: Sendable>: Sendable {
    let name: String
    /// A sentence without a full stop.
    let meaning: String
    let fields: [EventField<Payload>]
    /// What its field `facts` has, where there is one.
    var facts: [FieldDescription] = []

    var description: EventDescription {
        EventDescription(
            name: name, meaning: meaning, fields: fields.map(\.description), facts: facts)
    }

    /// The event as one JSON object.
    func json(_ payload: Payload, device: String?) -> JSONValue {
        let own = fields.compactMap { field in
            field.value(payload).map { JSONMember(field.description.name, $0) }
        }
        let common = [
            JSONMember("event", .string(name)), JSONMember("device", .string(orNull: device)),
        ]
        return .object(common + own)
    }
}

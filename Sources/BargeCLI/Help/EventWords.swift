/// The JSON events in the words of help and manual page.
enum EventWords {
    static let explanation = """
        With --json, standard output carries one JSON object a line and nothing else. Each one \
        has "event" and "device": the device as you named it, or null where none is involved. \
        Readers must skip events and fields that they do not know: new ones may come, but none \
        ever changes its meaning. A field that is null is not known here. Offsets and sizes are \
        exact up to 2^64-1; times are in seconds unless the name says otherwise.
        """

    /// Every event that there is, in the order in which a reader meets them.
    static let all: [EventDescription] =
        TransferEventSchema.all + FleetEventSchema.all + RecordSchema.all

    /// The text of `barge help json`.
    static func lines(columns: Int) -> [String] {
        TextLayout.paragraphs(explanation, columns: columns)
            + all.flatMap { event in
                ["", event.name]
                    + TextLayout.wrap(event.meaning + ".", columns: columns - 2)
                    .map { "  " + $0 }
                    + event.fields.flatMap {
                        TextLayout.definition(
                            $0.name, $0.sentence, termColumns: 20, columns: columns)
                    }
                    + event.facts.flatMap {
                        TextLayout.definition(
                            "  " + $0.name, $0.sentence, termColumns: 23, columns: columns)
                    }
            }
    }
}

extension FieldDescription {
    /// Type, meaning and presence in one.
    var sentence: String {
        let condition = presence.map { "; only if \($0)" } ?? ""
        return "\(meaning) (\(type.description)\(condition))"
    }
}

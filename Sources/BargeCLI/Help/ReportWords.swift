/// What `--report` writes, in the words of help and manual page.
enum ReportWords {
    static let explanation = """
        With --report FILE, 'barge flash' and 'barge pull' write what came of each device. Whether \
        FILE can be written is found out before the first byte is sent. It is written at the end, \
        beside what was there, and takes its place when it is whole.

        Where FILE ends in .xml, it is what JUnit writes and build servers read: a test case for \
        each device, failed if the device did, an error if it was interrupted, and skipped if its \
        turn never came.

        Where FILE ends in .json, it is one object with the members below. Readers must skip \
        members that they do not know. A member that is null is not known here.
        """

    static let fields = FleetReport.fields.map(\.description)
    static let deviceFields = FleetReport.deviceFields.map(\.description)

    /// The text of `barge help reports`.
    static func lines(columns: Int) -> [String] {
        TextLayout.paragraphs(explanation, columns: columns) + [""]
            + fields.flatMap {
                TextLayout.definition($0.name, $0.sentence, termColumns: 14, columns: columns)
            }
            + deviceFields.flatMap {
                TextLayout.definition(
                    "  " + $0.name, $0.sentence, termColumns: 14, columns: columns)
            }
    }
}

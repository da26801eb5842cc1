/// What `barge help` explains beside the commands.
enum HelpTopic: String, CaseIterable, Sendable {
    case exitCodes = "exit-codes"
    case json
    case devices
    case reports

    var title: String {
        switch self {
        case .exitCodes: "Exit codes"
        case .json: "JSON output"
        case .devices: "Devices"
        case .reports: "Reports of many devices"
        }
    }

    func lines(columns: Int) -> [String] {
        switch self {
        case .exitCodes: Self.exitCodeLines(columns: columns)
        case .json: EventWords.lines(columns: columns)
        case .devices: TextLayout.paragraphs(DeviceWords.explanation, columns: columns)
        case .reports: ReportWords.lines(columns: columns)
        }
    }

    private static func exitCodeLines(columns: Int) -> [String] {
        ExitCode.allCases.flatMap {
            TextLayout.definition(
                String($0.rawValue), $0.meaning, termColumns: 3, columns: columns)
        }
    }
}

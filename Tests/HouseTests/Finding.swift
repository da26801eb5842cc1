import Testing

/// Something in a file that the house does not want, with what to do instead.
struct Finding: Equatable, CustomStringConvertible {
    let path: String
    let line: Int
    let message: String

    var description: String { "\(path):\(line): \(message)" }
}

extension [Finding] {
    /// Fails the running test once for each finding.
    func record(sourceLocation: SourceLocation = #_sourceLocation) {
        for finding in self {
            Issue.record("\(finding.description)", sourceLocation: sourceLocation)
        }
    }
}

/// How a report is written; the ending of its file's name says so.
enum ReportFormat: String, CaseIterable, Sendable {
    case json, xml

    /// The format that the ending of a path asks for.
    init?(path: String) {
        let name = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
        // A dot file that has nothing but the ending has no ending.
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return nil }
        self.init(rawValue: name[name.index(after: dot)...].lowercased())
    }
}

extension ValueKind where Value == String {
    /// The path of a report, which ends in `.json` or `.xml`.
    static var reportPath: Self {
        ValueKind(
            placeholder: "FILE", expectation: "a path that ends in .json or .xml",
            completion: .files
        ) { ReportFormat(path: $0) == nil ? nil : $0 }
    }
}

/// The checks on names of files and folders.
enum PathNames {
    /// Words that say that a file has no idea of its own.
    private static let emptyWords = ["Common", "Helper", "Manager", "Util"]

    /// The field's own terms that hold such a word: the Security Manager of the Core Specification,
    /// volume 3, part H.
    private static let fieldTerms = ["SecurityManager"]

    /// Names that say nothing about what lies in the file.
    static func emptyNameFindings(in paths: [String]) -> [Finding] {
        paths.compactMap { path in
            let plain = fieldTerms.reduce(path) { $0.replacing($1, with: "") }
            guard let word = emptyWords.first(where: plain.contains) else { return nil }
            return Finding(
                path: path, line: 1,
                message: "\"\(word)\" names no idea: name the file for what it does")
        }
    }

    /// Files and folders whose names differ only in case: one name on most Macs.
    static func caseFindings(in paths: [String]) -> [Finding] {
        var known: [String: String] = [:]
        var findings: [Finding] = []
        for path in paths {
            var prefix = ""
            for part in path.split(separator: "/") {
                prefix += prefix.isEmpty ? String(part) : "/" + part
                let first = known[prefix.lowercased(), default: prefix]
                known[prefix.lowercased()] = first
                let finding = Finding(
                    path: path, line: 1,
                    message: "\(prefix) and \(first) are one name on most Macs")
                if first != prefix { findings.append(finding) }
            }
        }
        return findings
    }
}

/// The checks of size: how long a file, a line and a function may be.
enum Lengths {
    static let longestFile = 500
    static let longestLine = 100
    static let longestFunction = 70

    /// A finding if the file has too many lines.
    static func fileFindings(in file: SourceFile) -> [Finding] {
        let count = file.lines.count
        guard count > longestFile + 1 else { return [] }
        return [
            Finding(
                path: file.path, line: count,
                message: "\(count - 1) lines are more than \(longestFile): find the second idea in "
                    + "this file and give it a file of its own")
        ]
    }

    /// The lines that are too wide. A line that is one URL cannot be broken, and may be.
    static func lineFindings(in file: SourceFile) -> [Finding] {
        file.lines.enumerated().compactMap { index, line in
            guard line.count > longestLine, !line.contains("://") else { return nil }
            return Finding(
                path: file.path, line: index + 1,
                message: "\(line.count) columns are more than \(longestLine)")
        }
    }

    /// The bodies of functions, initializers, accessors and stored closures that are too long.
    static func functionFindings(in file: SourceFile) -> [Finding] {
        FunctionBodies.measure(file.code).compactMap { body in
            guard body.lineCount > longestFunction else { return nil }
            return Finding(
                path: file.path, line: body.firstLine,
                message:
                    "a body of \(body.lineCount) lines, more than \(longestFunction): split it "
                    + "where its decisions end and its effects begin")
        }
    }
}

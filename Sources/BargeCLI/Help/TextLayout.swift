/// Plain text in columns: all that help, tables and messages need of typography.
enum TextLayout {
    /// Breaks a paragraph at spaces. A word that is too long for a line gets one of its own.
    static func wrap(_ text: String, columns: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ") {
            if !line.isEmpty, line.count + 1 + word.count > columns {
                lines.append(line)
                line = ""
            }
            line += (line.isEmpty ? "" : " ") + word
        }
        return line.isEmpty ? lines : lines + [line]
    }

    /// Paragraphs that empty lines separate, each one wrapped. Lines that start with a space stay.
    static func paragraphs(_ text: String, columns: Int) -> [String] {
        text.split(separator: "\n", omittingEmptySubsequences: false).flatMap { line in
            line.hasPrefix(" ") || line.isEmpty
                ? [String(line)] : wrap(String(line), columns: columns)
        }
    }

    /// A term and its explanation side by side, or below each other where the term is too long.
    static func definition(_ term: String, _ text: String, termColumns: Int, columns: Int)
        -> [String]
    {
        let indent = termColumns + 4
        let body = wrap(text, columns: max(columns - indent, 20))
            .map { String(repeating: " ", count: indent) + $0 }
        guard term.count <= termColumns, let first = body.first else { return ["  " + term] + body }
        return ["  " + padded(term, to: termColumns) + "  " + first.dropFirst(indent)]
            + body.dropFirst()
    }

    /// Rows whose cells line up; the last column keeps its ragged edge.
    ///
    /// - Parameter numeric: columns that are aligned to the right.
    static func table(_ rows: [[String]], numeric: Set<Int> = []) -> [String] {
        let count = rows.map(\.count).max() ?? 0
        let widths = (0..<count).map { column in
            rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0
        }
        return rows.map { row in
            let cells = row.enumerated().map { column, cell in
                let space = String(repeating: " ", count: widths[column] - cell.count)
                if numeric.contains(column) { return space + cell }
                return column == count - 1 ? cell : cell + space
            }
            return trimmedEnd(cells.joined(separator: "  "))
        }
    }

    static func padded(_ text: String, to columns: Int) -> String {
        text + String(repeating: " ", count: max(0, columns - text.count))
    }

    private static func trimmedEnd(_ text: String) -> String {
        var text = text
        while text.last == " " { text.removeLast() }
        return text
    }
}

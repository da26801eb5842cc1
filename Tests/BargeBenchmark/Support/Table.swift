/// Figures as a Markdown table, or as one JSON object a line.
enum Table {
    static func print(_ figures: [Figure], settings: Settings) {
        if settings.isJSON {
            for figure in figures { Swift.print(json(figure)) }
        } else {
            for line in markdown(figures) { Swift.print(line) }
        }
    }

    private static func markdown(_ figures: [Figure]) -> [String] {
        let rows =
            [["what", "goal", "measured", ""]]
            + figures.map { [$0.what, $0.goal, $0.measured, $0.verdict] }
        let widths = (0..<4).map { column in rows.map { $0[column].count }.max() ?? 0 }
        var lines = rows.map { row in
            let cells = row.enumerated().map { column, text in
                text + String(repeating: " ", count: widths[column] - text.count)
            }
            return "| " + cells.joined(separator: " | ") + " |"
        }
        let rule = widths.map { String(repeating: "-", count: $0) }
        lines.insert("| " + rule.joined(separator: " | ") + " |", at: 1)
        return lines
    }

    private static func json(_ figure: Figure) -> String {
        let met = figure.isMet.map(String.init) ?? "null"
        return "{\"what\":\(quoted(figure.what)),\"goal\":\(quoted(figure.goal)),"
            + "\"measured\":\(quoted(figure.measured)),\"met\":\(met)}"
    }

    /// Our own texts hold no control characters.
    private static func quoted(_ text: String) -> String {
        let escaped = text.flatMap { $0 == "\"" || $0 == "\\" ? ["\\", $0] : [$0] }
        return "\"" + String(escaped) + "\""
    }
}

extension Figure {
    /// The promise's fate in two words at most.
    var verdict: String {
        switch isMet {
        case .some(true): "met"
        case .some(false): "NOT MET"
        case .none: ""
        }
    }
}

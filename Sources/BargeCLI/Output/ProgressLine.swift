import Barge

/// The one line that moves on a terminal: bar, bytes, rate, time left, route, compression, ceiling.
///
/// What does not fit is left out, the least important first, so that the line never wraps.
enum ProgressLine {
    /// - Returns: at most `columns` characters, each one column wide.
    static func text(_ progress: ReportedProgress, columns: Int, style: TerminalStyle) -> String {
        let wanted = segments(of: progress)
        guard let fraction = progress.fraction, columns >= narrowestWithBar else {
            return fitting(wanted, columns: columns)
        }
        let words = fitting(wanted, columns: columns - gap.count - shortestBar)
        let room = columns - gap.count - words.count
        return bar(fraction, columns: min(room, longestBar), style: style) + gap + words
    }

    /// Everything that is known, without a bar, for a line that stays.
    static func words(_ progress: ReportedProgress) -> String {
        segments(of: progress).map(\.text).joined(separator: gap)
    }

    private static let gap = "  "
    private static let shortestBar = 6
    /// Narrower than this, the words are worth more than a bar.
    private static let narrowestWithBar = 30
    private static let longestBar = 40

    private struct Segment {
        let text: String
        /// 0 goes last.
        let rank: Int
    }

    /// In the order in which they are shown.
    private static func segments(of progress: ReportedProgress) -> [Segment] {
        let counted =
            progress.totalBytes.map { Quantity.bytes(progress.bytes, of: $0) }
            ?? Quantity.bytes(progress.bytes)
        let optional: [Segment?] = [
            progress.fraction.map {
                // As wide as "100 %" from the start, so that nothing behind it moves.
                Segment(text: Quantity.indented(Quantity.percent($0), to: 5), rank: 0)
            },
            Segment(text: counted, rank: progress.totalBytes == nil ? 0 : 3),
            progress.bytesPerSecond.map { Segment(text: Quantity.rate($0), rank: 2) },
            progress.secondsLeft.map { Segment(text: Quantity.time($0) + " left", rank: 1) },
            progress.route.map { Segment(text: $0.rawValue, rank: 4) },
            progress.compressionRatio.map {
                Segment(text: "ratio " + Quantity.fixed($0, digits: 2), rank: 5)
            },
            progress.ceilingShare.map {
                Segment(text: Quantity.percent($0) + " of link", rank: 6)
            },
        ]
        return optional.compactMap { $0 }
    }

    /// The most important segments that fit, in their order.
    private static func fitting(_ segments: [Segment], columns: Int) -> String {
        var segments = segments
        while true {
            let text = segments.map(\.text).joined(separator: gap)
            let least = segments.indices.max { segments[$0].rank < segments[$1].rank }
            guard text.count > columns, let least else { return text }
            segments.remove(at: least)
        }
    }

    /// How far it is, in so many columns.
    static func bar(_ fraction: Double, columns: Int, style: TerminalStyle) -> String {
        let inner = max(0, columns - 2)
        let done = min(inner, Int(fraction * Double(inner)))
        let (full, empty) = style.usesUnicode ? ("█", "░") : ("#", ".")
        return "[" + style.green(String(repeating: full, count: done))
            + String(repeating: empty, count: inner - done) + "]"
    }
}

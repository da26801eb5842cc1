import Barge

/// What there is to see of a run over many devices, as a value: who is under way, and the sums.
struct FleetBoard: Equatable, Sendable {
    /// All devices of the run.
    let total: Int
    private(set) var summary = FleetSummary()
    /// Those under way, in the order in which they began.
    private var rows: [FleetRow] = []

    init(total: Int) { self.total = total }

    /// A device's turn has come, so many seconds after the run began.
    mutating func began(_ device: String, atSeconds: Double) {
        rows.append(FleetRow(device: device, beganSeconds: atSeconds))
    }

    mutating func note(_ event: ReportedEvent, of device: String) {
        change(device) { $0.note(event) }
    }

    mutating func noteRetry(of device: String) { change(device) { $0.noteRetry() } }

    /// A device has ended, or never started.
    ///
    /// - Returns: the row that was its; nil if it never started.
    mutating func ended(_ device: String, _ outcome: FleetReport.Outcome) -> FleetRow? {
        switch outcome {
        case .done(.installed), .done(.copied): summary.succeeded += 1
        case .done(.alreadyInstalled), .done(.unchanged): summary.skipped += 1
        case .failed: summary.failed += 1
        case .notStarted: summary.notStarted += 1
        }
        return rows.firstIndex { $0.device == device }.map { rows.remove(at: $0) }
    }

    /// The lines of the table: one for each device under way, and the sums.
    ///
    /// - Parameter seconds: since the start.
    /// - Returns: at most `rows` lines, none wider than `columns`.
    func lines(columns: Int, rows limit: Int, seconds: Double, style: TerminalStyle) -> [String] {
        let shown = rows.prefix(max(0, limit - 1))
        let longest = shown.map(\.device.printable.columnsAtMost).max() ?? 0
        let nameColumns = min(longest, max(Self.shortestName, columns / 3), columns)
        let table = shown.map {
            $0.text(columns: columns, nameColumns: nameColumns, style: style)
        }
        return table + [sums(columns: columns, hidden: rows.count - shown.count, seconds)]
    }

    private static let shortestName = 12

    /// `37 of 1000 done, 2 failed, 50 under way (28 not shown), 12 m 05 s left`: from the left, as
    /// much as fits.
    private func sums(columns: Int, hidden: Int, _ seconds: Double) -> String {
        let done = summary.succeeded + summary.skipped
        let rest = hidden > 0 ? " (\(hidden) not shown)" : ""
        let parts = [
            "\(done) of \(total) done", summary.failed > 0 ? "\(summary.failed) failed" : nil,
            "\(rows.count) under way" + rest,
            secondsLeft(after: seconds).map { Quantity.time($0) + " left" },
        ].compactMap { $0 }
        var line = ""
        for part in parts {
            let longer = line.isEmpty ? part : line + ", " + part
            guard longer.count <= columns else { break }
            line = longer
        }
        return line
    }

    /// What the devices so far took, for all that is still to be done: a device under way counts
    /// as far as its bytes have come. Nil while too little is known.
    private func secondsLeft(after seconds: Double) -> Double? {
        let ended = Double(summary.total)
        let done = ended + rows.reduce(0) { $0 + ($1.progress?.fraction ?? 0) }
        guard done > 0, seconds > 0 else { return nil }
        return seconds * max(0, Double(total) - done) / done
    }

    private mutating func change(_ device: String, _ body: (inout FleetRow) -> Void) {
        guard let index = rows.firstIndex(where: { $0.device == device }) else { return }
        body(&rows[index])
    }
}

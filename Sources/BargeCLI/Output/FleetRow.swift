import Barge

/// One device under way among many, as a line of a table.
struct FleetRow: Equatable, Sendable {
    /// What the device is doing.
    enum Phase: String, CaseIterable, Sendable {
        case looking, connected, sending, receiving, verifying, rebooting, retrying
    }

    let device: String
    var phase = Phase.looking
    var progress: ReportedProgress?
    /// 1 for the first.
    var tries = 1
    /// The device's own word for itself, once it was heard.
    var serial: String?
    /// When its turn came, in seconds since the run began.
    let beganSeconds: Double

    init(device: String, beganSeconds: Double) {
        self.device = device
        self.beganSeconds = beganSeconds
    }

    /// Takes in what happened to the device.
    mutating func note(_ event: ReportedEvent) {
        switch event {
        case .scanning: if phase != .retrying { phase = .looking }
        case .connected: phase = .connected
        case .started(let start):
            switch start.operation {
            case .flash, .push: phase = .sending
            case .pull: phase = .receiving
            }
        case .progress(let progress): self.progress = progress
        case .verifying: phase = .verifying
        case .rebooting: phase = .rebooting
        case .route(let choice): serial = choice.serial.flatMap { $0.isEmpty ? nil : $0 }
        case .durable, .finished, .failed: break
        }
    }

    /// The link was lost, and is tried again.
    mutating func noteRetry() {
        phase = .retrying
        tries += 1
    }

    /// The line, in columns that line up with those of other devices of the same `nameColumns`.
    ///
    /// What does not fit is left out from the least important on: tries, bar, rate, phase, percent.
    /// - Returns: a text that is never wider than `columns`.
    func text(columns: Int, nameColumns: Int, style: TerminalStyle) -> String {
        let name = Self.name(device, columns: min(nameColumns, columns), style: style)
        let rest = columns - nameColumns
        var width = 0
        var fitting: [Cell] = []
        for cell in cells(style).sorted(by: { $0.rank < $1.rank })
        where width + cell.columns + Self.gap.count <= rest {
            width += cell.columns + Self.gap.count
            fitting.append(cell)
        }
        let texts = fitting.sorted { $0.place < $1.place }.map { Self.gap + $0.text }
        return name + texts.joined()
    }

    /// A name in exactly so many columns: cut at its end, or filled up.
    private static func name(_ device: String, columns: Int, style: TerminalStyle) -> String {
        let name = device.printable
        guard name.columnsAtMost > columns else {
            return name + String(repeating: " ", count: columns - name.columnsAtMost)
        }
        let ellipsis = style.usesUnicode ? "…" : "~"
        var (text, width) = ("", ellipsis.count)
        for character in name {
            let next = String(character).columnsAtMost
            guard width + next <= columns else { break }
            text.append(character)
            width += next
        }
        guard columns >= ellipsis.count else { return "" }
        return text + ellipsis + String(repeating: " ", count: columns - width)
    }

    private struct Cell {
        let text: String
        let columns: Int
        /// From left to right.
        let place: Int
        /// 0 goes last.
        let rank: Int

        init(_ text: String, columns: Int, place: Int, rank: Int) {
            self.text = text
            self.columns = columns
            self.place = place
            self.rank = rank
        }

        init(padding text: String, to columns: Int, place: Int, rank: Int) {
            self.init(
                TextLayout.padded(text, to: columns), columns: max(columns, text.count),
                place: place, rank: rank)
        }
    }

    private func cells(_ style: TerminalStyle) -> [Cell] {
        let fraction = progress?.fraction
        let percent = fraction.map { Quantity.indented(Quantity.percent($0), to: 5) } ?? ""
        let bar = fraction.map { ProgressLine.bar($0, columns: Self.barColumns, style: style) }
        let rate = progress?.bytesPerSecond.map(Quantity.rate) ?? ""
        return [
            Cell(padding: phase.rawValue, to: Self.phaseColumns, place: 0, rank: 1),
            Cell(
                bar ?? String(repeating: " ", count: Self.barColumns),
                columns: Self.barColumns, place: 1, rank: 3),
            Cell(padding: percent, to: 5, place: 2, rank: 0),
            Cell(padding: Quantity.indented(rate, to: 9), to: 9, place: 3, rank: 2),
            Cell(padding: tries > 1 ? "try \(tries)" : "", to: 7, place: 4, rank: 4),
        ]
    }

    private static let gap = "  "
    private static let barColumns = 22
    private static let phaseColumns = Phase.allCases.map(\.rawValue.count).max() ?? 0
}

extension String {
    /// How many columns of a terminal the text takes at most.
    ///
    /// Whether a character takes one column or two depends on the terminal, its font and its
    /// version of Unicode (Unicode Standard Annex 11). From U+1100, the first that is wide
    /// anywhere, on all scalars count as two, and none as less than one: a line that is too short
    /// costs nothing, one that wraps costs the table.
    var columnsAtMost: Int {
        unicodeScalars.reduce(0) { $0 + ($1.value < 0x1100 ? 1 : 2) }
    }
}

import Barge
import BluetoothSimulation
import Synchronization

extension ScanCommand {
    @Sendable static func run(
        _ arguments: ParsedArguments, _ console: Console
    ) async throws(Failure) -> ExitCode {
        let listing = try KnownDevices.open(arguments).listing(console)
        if arguments[known] {
            show(listing, console)
        } else if let alias = arguments[remember] {
            try await rememberOne(as: alias, listing, arguments, console)
        } else {
            let board = try await listen(
                filter(arguments), ScanBoard(listing.devices), arguments, console)
            if !console.settings.json {
                let lines = board.lines
                if lines.isEmpty { console.news("no device was heard") }
                console.lines(lines)
                console.remark("note: this version hears simulated devices only")
            }
        }
        return .done
    }

    /// Listens for as long as the line says, and shows what is heard.
    ///
    /// - Parameter isShown: false where what is heard is looked at first.
    static func listen(
        _ filter: ScanFilter, _ board: ScanBoard, _ arguments: ParsedArguments, _ console: Console,
        isShown: Bool = true
    ) async throws(Failure) -> ScanBoard {
        let neighborhood = try await SimulatedNeighborhood.open(
            stateDirectory: try StateLocation.path(arguments), console: console)
        let host = BargeHost(central: neighborhood.radio.central)
        let heard = Mutex(board)
        let view = ScanView(console: console)
        do throws(BargeError) {
            try await host.discover(
                filter, forMicroseconds: arguments[duration].microseconds
            ) { advertisement in
                guard !isShown || isWanted(advertisement, arguments) else { return true }
                let (board, isNew) = heard.withLock { board in
                    let isNew = board.note(advertisement)
                    return (board, isNew)
                }
                if isShown { view.show(board, advertisement, isNew: isNew) }
                return !console.isOutputClosed
            }
        } catch {
            throw Failure(error)
        }
        console.settle()
        return heard.withLock { $0 }
    }
}

/// How a scan shows itself while it goes on: a table that moves on a terminal, a line for each
/// device with `--json`, nothing elsewhere.
private final class ScanView: Sendable {
    private let console: Console
    private let lastDrawn = Mutex<ContinuousClock.Instant?>(nil)

    init(console: Console) { self.console = console }

    func show(_ board: ScanBoard, _ advertisement: Advertisement, isNew: Bool) {
        if console.settings.json {
            guard isNew else { return }
            console.json(
                RecordSchema.found.json(
                    board.record(advertisement), device: advertisement.peer.rawValue))
        } else if console.settings.movesProgress, !console.settings.isQuiet, isDue() {
            console.moveLines { columns, rows in board.lines(columns: columns, rows: rows) }
        }
    }

    private func isDue() -> Bool {
        let now = ContinuousClock.now
        return lastDrawn.withLock { last in
            if let last, now - last < Self.shortestPause { return false }
            last = now
            return true
        }
    }

    /// Faster than this, nobody reads it.
    private static let shortestPause = Duration.milliseconds(100)
}

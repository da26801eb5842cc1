import Barge
import BluetoothSimulation
import Synchronization

extension ScanCommand {
    @Sendable static func run(
        _ arguments: ParsedArguments, _ console: Console
    ) async throws(Failure) -> ExitCode {
        let neighborhood = try await SimulatedNeighborhood.open(
            stateDirectory: try StateLocation.path(arguments), console: console)
        let heard = try await listen(neighborhood, arguments, console)
        if !console.settings.json {
            let rows = heard.sorted { $0.peer.rawValue < $1.peer.rawValue }.map(row)
            if rows.isEmpty { console.news("no device was heard") }
            console.lines(TextLayout.table(rows).map(\.printable))
            console.remark("note: this version hears simulated devices only")
        }
        return .done
    }

    private static func listen(
        _ neighborhood: SimulatedNeighborhood, _ arguments: ParsedArguments, _ console: Console
    ) async throws(Failure) -> [Advertisement] {
        let pattern = arguments[name].map(NamePattern.init)
        let host = BargeHost(central: neighborhood.radio.central)
        let heard = Mutex<[Advertisement]>([])
        do throws(BargeError) {
            try await host.discover(forMicroseconds: arguments[duration].microseconds) {
                advertisement in
                guard pattern?.matches(advertisement.localName ?? "") ?? true else { return true }
                let isNew = heard.withLock { heard in
                    let isNew = !heard.contains { $0.peer == advertisement.peer }
                    if isNew { heard.append(advertisement) }
                    return isNew
                }
                if isNew, console.settings.json { console.json(record(advertisement)) }
                return !console.isOutputClosed
            }
        } catch {
            throw Failure(error)
        }
        return heard.withLock { $0 }
    }

    private static func record(_ advertisement: Advertisement) -> JSONValue {
        RecordSchema.found.json(
            FoundDevice(
                name: advertisement.localName, rssi: advertisement.rssiDBm,
                speaksBarge: advertisement.speaksBarge),
            device: advertisement.peer.rawValue)
    }

    private static func row(_ advertisement: Advertisement) -> [String] {
        [
            advertisement.peer.rawValue, advertisement.localName ?? "",
            advertisement.rssiDBm.map { "\($0) dBm" } ?? "",
            advertisement.speaksBarge ? "barge" : "",
        ]
    }
}

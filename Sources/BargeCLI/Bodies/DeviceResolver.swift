import Barge
import BluetoothSimulation

/// Finds out which device a word on the command line stands for: `sim:NAME`, an alias, a serial, or
/// a name that is advertised.
struct DeviceResolver {
    private let console: Console
    private let statePath: String
    private let known: KnownDevices.Listing
    /// How long a name is listened for.
    private let patienceMicroseconds: UInt64

    /// Reads what is remembered. A record that cannot be read is told of, and missed.
    ///
    /// - Parameter patience: how long a name is listened for; that of the link options if nil.
    init(
        _ arguments: ParsedArguments, _ console: Console, patience: Duration? = nil
    ) throws(Failure) {
        self.console = console
        patienceMicroseconds = (patience ?? LinkSettings(arguments).stepTimeout).microseconds
        statePath = try StateLocation.path(arguments)
        known = try KnownDevices.open(arguments).listing(console)
    }

    /// - Throws: `ExitCode.notFound`, with the names that come near; `ExitCode.usage` where it
    ///   could be several; `ExitCode.bluetoothUnavailable` where no backend reaches it.
    func resolve(_ text: String) async throws(Failure) -> DeviceTarget {
        if let name = text.simulatedName { return DeviceTarget(title: text, simulatedName: name) }
        if PeerID(text).isBluetoothAddress { throw Self.noBackend(for: text) }
        switch known.device(named: text) {
        case .device(let device):
            guard let target = DeviceTarget(title: text, device) else {
                throw Self.noBackend(for: text)
            }
            return target
        case .ambiguous(let devices):
            throw Self.ambiguous(text, devices)
        case .unknown: return try await listen(for: text)
        }
    }

    /// All devices that match, in the order of their names; those that another process uses just
    /// now, or whose files are damaged, as well: a run that left them out would end well without
    /// them.
    func search(_ search: FleetSettings.Search) async throws(Failure) -> [DeviceTarget] {
        var filter = ScanFilter()
        filter.service = search.service.flatMap { BluetoothUUID($0) } ?? BargeService.uuid
        filter.name = search.namePattern.map { NamePattern($0) }
        let heard = try await heard(filter, forMicroseconds: Self.searchMicroseconds)
        let targets = heard.compactMap { advertisement in
            advertisement.peer.simulatedName.map {
                DeviceTarget(title: "sim:" + $0, simulatedName: $0)
            }
        }
        guard !targets.isEmpty else { throw try await nothingMatches(search) }
        return targets.sorted { $0.title < $1.title }
    }

    // MARK: Listening

    /// The device that advertises a name. Another one of that name, which may be heard a little
    /// later, must not be flashed by mistake.
    private func listen(for name: String) async throws(Failure) -> DeviceTarget {
        var filter = ScanFilter()
        filter.name = .exactly(name)
        let heard = try await heard(
            filter, forMicroseconds: patienceMicroseconds, afterHit: Self.doubleMicroseconds)
        guard heard.count < 2 else { throw Self.ambiguous(name, heard.map(\.peer.rawValue)) }
        guard let peer = heard.first?.peer, let simulated = peer.simulatedName else {
            throw try await missing(name)
        }
        return DeviceTarget(title: name, simulatedName: simulated)
    }

    /// - Parameter afterHit: how long to go on after the first one, in µs; nil: to the end.
    private func heard(
        _ filter: ScanFilter, forMicroseconds duration: UInt64, afterHit: UInt64? = nil
    ) async throws(Failure) -> [Advertisement] {
        let neighborhood = try await SimulatedNeighborhood.open(
            stateDirectory: statePath, console: nil)
        let central = neighborhood.radio.central
        var found: [PeerID: Advertisement] = [:]
        var deadline = central.now.advanced(microseconds: duration)
        do throws(BluetoothError) {
            while central.now < deadline {
                for try await advertisement in central.advertisements(filter, until: deadline) {
                    let isFirst = found.isEmpty
                    found[advertisement.peer] = advertisement
                    guard isFirst, let afterHit else { continue }
                    deadline = min(deadline, central.now.advanced(microseconds: afterHit))
                    break
                }
            }
        } catch {
            throw Failure(BargeError(error, while: "scanning"))
        }
        for advertisement in neighborhood.silent where filter.matches(advertisement) {
            found[advertisement.peer] = advertisement
        }
        return found.values.sorted { $0.peer.rawValue < $1.peer.rawValue }
    }

    // MARK: What is not there

    private func missing(_ name: String) async throws(Failure) -> Failure {
        let near = try await nearMisses(of: name)
        return Failure(
            .notFound, "device-not-found", what: "no device '\(name)'", why: near.sentence,
            advice: "see what is there: barge scan")
    }

    private func nothingMatches(_ search: FleetSettings.Search) async throws(Failure) -> Failure {
        let pattern = search.namePattern
        let service = search.service.map { "the service \($0)" } ?? "the barge service"
        var why = "none in range has \(service)"
        if let pattern {
            let near = try await nearMisses(of: pattern)
            why = "none in range has \(service) and such a name"
            if !near.names.isEmpty { why += "; near: \(near.names.joined(separator: ", "))" }
        }
        return Failure(
            .notFound, "no-device-matches",
            what: "no device matches" + (pattern.map { " '\($0)'" } ?? ""), why: why,
            advice: "see what is there: barge scan")
    }

    private func nearMisses(of text: String) async throws(Failure) -> NearMisses {
        let heard = try await heard(ScanFilter(), forMicroseconds: Self.searchMicroseconds)
        let names = heard.compactMap(\.localName)
        let remembered = known.devices.flatMap { [$0.alias?.text, $0.name].compactMap(\.self) }
        return NearMisses(of: text, among: names + remembered)
    }

    static func ambiguous(_ text: String, _ devices: [KnownDevice]) -> Failure {
        ambiguous(text, devices.map { $0.peers.first?.rawValue ?? $0.serial })
    }

    private static func ambiguous(_ text: String, _ addresses: [String]) -> Failure {
        Failure(
            .usage, "ambiguous-device", what: "'\(text)' is more than one device",
            why: "these have that name: \(addresses.joined(separator: ", "))",
            advice: "name one by its address, or give it an alias with 'barge scan --remember'")
    }

    static func noBackend(for device: String) -> Failure {
        Failure(
            .bluetoothUnavailable, "bluetooth-unavailable", what: "cannot reach '\(device)'",
            why: "this version of barge talks to simulated devices only",
            advice: "use sim:demo, or another device from 'barge sim list'")
    }

    /// As long as `barge scan` listens.
    private static var searchMicroseconds: UInt64 { 5_000_000 }
    /// Devices advertise once a second or more often where they want to be found.
    private static var doubleMicroseconds: UInt64 { 1_000_000 }
}

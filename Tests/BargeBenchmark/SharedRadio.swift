import Barge
import BargePeripheral
import Bluetooth
import BluetoothSimulation

/// What devices that share one radio get of it: each is pushed a file that does not deflate, all at
/// once, and the sum of their rates is held against what one link alone carries.
enum SharedRadio {
    private static let bytes = 256 << 10

    static func measure(_ settings: Settings) async throws -> [Figure] {
        var figures: [Figure] = []
        for count in [2, 5, 10, 20, 50] {
            let rates = try await rates(of: count)
            let sum = rates.bytesPerSecond.reduce(0, +)
            let share = sum / rates.ceiling
            let slowest = (rates.bytesPerSecond.min() ?? 0) / (sum / Double(count))
            figures.append(
                Figure(
                    what: "\(count) devices on one radio: sum of rates, slowest : mean",
                    goal: ">= 90 % of one link's ceiling, >= 0.5",
                    measured: "\(share.percent), \(slowest.text(2))",
                    isMet: share >= 0.9 && slowest >= 0.5))
        }
        return figures
    }

    /// The goodput of each device while all of them are under way, and the ceiling of one alone.
    private static func rates(
        of count: Int
    ) async throws -> (bytesPerSecond: [Double], ceiling: Double) {
        let world = SimulatedWorld(seed: 5)
        let peers = (1...count).map { PeerID("sim:bench-\($0)") }
        for peer in peers {
            world.addDevice(DeviceConfiguration(peer: peer), application: device(peer.rawValue))
        }
        let radio = SimulatedRadio(world: world)
        let central = radio.central
        let course = FleetCourse(devices: peers, plan: FleetPlan(jobs: count))
        let results = await FleetRun()(course) { (run, peer) throws(BargeError) in
            var host = BargeHost(central: central)
            host.home = run
            var samples: [Sample] = []
            let source = UploadSource(bytes: Noise(seed: 7).bytes(bytes), name: "cargo")
            _ = try await host.push(source, to: .peer(peer), as: "cargo") { event in
                guard case .progress(let progress) = event else { return }
                samples.append(
                    Sample(microseconds: central.now.microseconds, bytes: progress.doneBytes))
            }
            return samples
        }
        let courses = try results.map { result in
            guard case .succeeded(let samples) = result.outcome else {
                throw BrokenMeasurement("a push failed: \(result.outcome)")
            }
            return samples
        }
        let alone = LinkCeiling(
            timing: LinkTiming(phy: .le2M, dataLengthBytes: 251, isEncrypted: true),
            connectionIntervalMicroseconds: 30_000
        ).cocBytesPerSecond(sduBytes: 40 * 247 - 2, mpsBytes: 247)
        return (try sharedRates(courses), alone)
    }

    /// How far a transfer was at a moment.
    private struct Sample: Sendable {
        let microseconds: UInt64
        let bytes: UInt64
    }

    /// Rates between the moment at which the last one has begun and that at which the first one is
    /// done: only then do all of them share.
    private static func sharedRates(_ courses: [[Sample]]) throws -> [Double] {
        let begin = courses.compactMap(\.first?.microseconds).max() ?? 0
        let end = courses.compactMap(\.last?.microseconds).min() ?? 0
        return try courses.map { samples in
            let shared = samples.filter { (begin...max(begin, end)).contains($0.microseconds) }
            guard let first = shared.first, let last = shared.last,
                last.microseconds > first.microseconds
            else { throw BrokenMeasurement("the transfers do not overlap") }
            return Double(last.bytes - first.bytes) * 1e6
                / Double(last.microseconds - first.microseconds)
        }
    }

    private static func device(_ name: String) -> MemoryDevice {
        MemoryDevice(
            profile: DeviceProfile(serial: name, localName: name),
            storage: DeviceStorage(slots: nil, files: FileStore(medium: MemoryFileMedium())),
            bootID: 1)
    }
}

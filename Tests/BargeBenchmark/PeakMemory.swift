import Barge
import BargePeripheral
import Bluetooth
import BluetoothSimulation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The most memory that a push and a pull take over a link without air time, each in a process of
/// its own, at two sizes: it may not grow with the file.
enum PeakMemory {
    private static let limitMiB = 48.0
    /// What two runs of the same program differ by anyway.
    private static let noiseMiB = 4.0

    static func measure(_ settings: Settings) async throws -> [Figure] {
        let folder = try TemporaryFolder()
        let small = 400 << 20
        let large = settings.isFull ? 4 << 30 : 1 << 30
        var figures: [Figure] = []
        for direction in MemoryChild.Direction.allCases {
            let least = try measure(direction, bytes: small, in: folder)
            let most = try measure(direction, bytes: large, in: folder)
            let isMet =
                max(least.mebibytes, most.mebibytes) <= limitMiB
                && (most.mebibytes - least.mebibytes).magnitude <= noiseMiB
            figures.append(
                Figure(
                    what: "peak memory, \(direction.rawValue), 400 MiB and \(large >> 30) GiB",
                    goal: "<= 48 MiB, equal",
                    measured: "\(least.mebibytes.text(1)) and \(most.mebibytes.text(1)) MiB "
                        + "(\(least.seconds.text(0)) s and \(most.seconds.text(0)) s)",
                    isMet: isMet))
        }
        return figures
    }

    private static func measure(
        _ direction: MemoryChild.Direction, bytes: Int, in folder: TemporaryFolder
    ) throws -> (mebibytes: Double, seconds: Double) {
        let source = try folder.sparseFile("\(direction.rawValue)-\(bytes)", bytes: bytes)
        defer { unlink(source) }
        let run = try Child.run(
            CommandLine.arguments[0], ["--memory-child", direction.rawValue, source])
        return (run.peakMebibytes, run.seconds)
    }
}

/// The process that ``PeakMemory`` looks at: one transfer, then the end.
struct MemoryChild {
    enum Direction: String, CaseIterable {
        case push, pull
    }

    private let direction: Direction
    private let source: String

    /// Nil where the arguments ask for something else.
    init?(_ arguments: [String]) {
        guard arguments.count == 3, arguments[0] == "--memory-child",
            let direction = Direction(rawValue: arguments[1])
        else { return nil }
        self.direction = direction
        source = arguments[2]
    }

    func run() async {
        do {
            try await transfer()
        } catch {
            Progress.say("barge-benchmark: \(error)")
            exit(1)
        }
    }

    /// The device's files lie in a folder: a push ends in one, a pull begins in one.
    private func transfer() async throws {
        let folder = try TemporaryFolder()
        let files = folder.path("files")
        let name = "cargo"
        // Zeros deflate to nothing: stored, every byte travels.
        var profile = DeviceProfile(serial: "BENCH-2", localName: "memory")
        profile.windowBits = nil
        let device = BargeDevice<MemoryFlashMedium, DirectoryFileMedium>(
            profile: profile,
            storage: DeviceStorage(
                slots: nil, files: FileStore(medium: try DirectoryFileMedium(path: files))),
            bootID: 1)
        let world = SimulatedWorld(seed: 1)
        var configuration = DeviceConfiguration(peer: Bench.peer)
        configuration.link = .unlimited
        world.addDevice(configuration, application: device)
        let radio = SimulatedRadio(world: world)
        let host = BargeHost(central: radio.central)
        switch direction {
        case .push:
            _ = try await host.push(
                UploadSource(path: source), to: .peer(Bench.peer), as: name)
        case .pull:
            guard rename(source, "\(files)/\(name)") == 0 else {
                throw BrokenMeasurement("cannot move \(source)")
            }
            _ = try await host.pull(
                name, from: .peer(Bench.peer),
                to: DownloadDestination(localPath: folder.path(name), remoteName: name))
        }
    }
}

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Measures what README promises, prints it, and fails where a promise is not kept.
@main
enum BenchmarkCommand {
    private static var measurements: [Measurement] {
        [
            // First: a child's peak counts what its parent held when it was started.
            Measurement(name: "memory", run: PeakMemory.measure),
            Measurement(name: "many-devices", run: ManyDevices.measure),
            Measurement(name: "shared-radio", run: SharedRadio.measure),
            Measurement(name: "ceiling", run: LinkShare.measure),
            Measurement(name: "compression", run: Compression.measure),
            Measurement(name: "overhead", run: Overhead.measure),
            Measurement(name: "round-trips", run: RoundTrips.measure),
            Measurement(name: "speed", run: PipelineSpeed.measure),
            Measurement(name: "resume", run: ResumeCost.measure),
            Measurement(name: "already-runs", run: AlreadyRuns.measure),
            Measurement(name: "simulator", run: SimulatorSpeed.measure),
        ]
    }

    private static var usage: String {
        """
        usage: barge-benchmark [--only NAME] [--json] [--full]
          NAME    one of: \(measurements.map(\.name).joined(separator: " "))
          --json  one JSON object a line: what, goal, measured, met
          --full  memory: 4 GiB in place of 1 GiB (needs 9 GiB of disk in TMPDIR);
                  many-devices: 1,000 in place of 100
        """
    }

    static func main() async {
        let arguments = Array(CommandLine.arguments.dropFirst())
        if let child = MemoryChild(arguments) { return await child.run() }
        guard let settings = parse(arguments) else {
            print(usage)
            exit(arguments == ["--help"] ? 0 : 2)
        }
        do {
            exit(try await run(settings) ? 0 : 1)
        } catch {
            print("barge-benchmark: \(error)")
            exit(1)
        }
    }

    private static func parse(_ arguments: [String]) -> Settings? {
        var settings = Settings()
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            switch argument {
            case "--json": settings.isJSON = true
            case "--full": settings.isFull = true
            case "--only":
                guard let name = rest.popFirst(), measurements.contains(where: { $0.name == name })
                else { return nil }
                settings.only = name
            default: return nil
            }
        }
        return settings
    }

    /// True where every promise is kept.
    private static func run(_ settings: Settings) async throws -> Bool {
        var figures: [Figure] = []
        for measurement in measurements {
            guard settings.only == nil || settings.only == measurement.name else { continue }
            let (seconds, found) = try await timed { try await measurement.run(settings) }
            figures += found
            Progress.say("\(measurement.name): \(seconds.text(1)) s")
        }
        Table.print(figures, settings: settings)
        return figures.allSatisfy { $0.isMet != false }
    }
}

/// What happens, for a person who waits: the table has the standard output to itself.
enum Progress {
    static func say(_ text: String) {
        let line = Array((text + "\n").utf8)
        line.withUnsafeBytes { _ = write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}

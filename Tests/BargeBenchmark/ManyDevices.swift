import Barge

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A whole bench, flashed by `barge` itself: a thousand simulated devices with 64 KiB each, fifty
/// at once, on links that lose a packet in fifty; one device in twenty reboots by itself at random.
enum ManyDevices {
    private static let limitSeconds = 60.0
    private static let limitMebibytes = 256.0

    static func measure(_ settings: Settings) async throws -> [Figure] {
        let count = settings.isFull ? 1_000 : 100
        let folder = try TemporaryFolder()
        let barge = try program()
        let state = ["--state-dir", folder.path("state"), "--quiet"]
        let odd = count / 20
        try make(barge, state, "calm", count - odd, [])
        try make(barge, state, "odd", odd, ["--reboots", "60s"])
        let image = folder.path("image.bin")
        try write(Noise(seed: 64).bytes(64 << 10), to: image)
        let report = folder.path("report.json")
        let run = try Child.run(
            barge,
            ["flash", image, "--all", "--name", "*-*", "--jobs", "50", "--report", report] + state,
            output: folder.path("output"))
        let installed = try text(of: report).split(separator: "\"result\":\"installed\"").count - 1
        let share = Double(count) / 1_000
        let isMet =
            installed == count && run.seconds < limitSeconds * share
            && run.peakMebibytes < limitMebibytes
        return [
            Figure(
                what: "\(count) devices, 64 KiB each, 50 at once, 2 % loss, 5 % reboot at random",
                goal: "all installed, < \((limitSeconds * share).text(0)) s, < 256 MiB",
                measured: "\(installed) installed, \(run.seconds.text(1)) s "
                    + "(\(run.processorSeconds.text(1)) s of processor), "
                    + "\(run.peakMebibytes.text(1)) MiB", isMet: isMet)
        ]
    }

    /// `barge`, which is built beside this program.
    private static func program() throws -> String {
        let own = CommandLine.arguments[0]
        let folder = own.split(separator: "/", omittingEmptySubsequences: false).dropLast()
        let path = (folder + ["barge"]).joined(separator: "/")
        guard access(path, X_OK) == 0 else {
            throw BrokenMeasurement("there is no \(path); build it as this program was built")
        }
        return path
    }

    private static func make(
        _ barge: String, _ state: [String], _ name: String, _ count: Int, _ options: [String]
    ) throws {
        _ = try Child.run(
            barge,
            [
                "sim", "create", name, "--count", "\(count)", "--loss", "0.02", "--slot-size",
                "64KiB",
            ]
                + options + state)
    }

    private static func write(_ bytes: [UInt8], to path: String) throws {
        guard let stream = fopen(path, "w") else { throw BrokenMeasurement("cannot make \(path)") }
        defer { fclose(stream) }
        guard fwrite(bytes, 1, bytes.count, stream) == bytes.count else {
            throw BrokenMeasurement("cannot write \(path)")
        }
    }

    private static func text(of path: String) throws -> String {
        guard let stream = fopen(path, "r") else { throw BrokenMeasurement("there is no \(path)") }
        defer { fclose(stream) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = fread(&chunk, 1, chunk.count, stream)
            guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
            bytes += chunk[..<count]
        }
    }
}

import Barge
import Bluetooth
import BluetoothSimulation

/// The share of the link's ceiling that a transfer's goodput reaches: 1 MiB that does not deflate,
/// 2M PHY, 251-byte packets, encrypted.
///
/// Goodput is raw bytes by the link's clock, from the device's READY to the ACK (of a pull, to the
/// last block) behind the last byte. The ceiling is the one that the library reports, and is held
/// against figures that were worked out by hand.
enum LinkShare {
    private static let bytes = 1 << 20

    static func measure(_ settings: Settings) async throws -> [Figure] {
        try checkCeilings()
        var figures: [Figure] = []
        for carrier in Bench.Carrier.allCases {
            for interval in [15_000, 30_000, 50_000] {
                let shares = try await shares(carrier, intervalMicroseconds: interval)
                figures.append(figure(carrier, interval, "up", shares.up))
                figures.append(figure(carrier, interval, "down", shares.down))
            }
        }
        return figures
    }

    private static func figure(
        _ carrier: Bench.Carrier, _ interval: Int, _ direction: String, _ share: Double
    ) -> Figure {
        let goal = carrier == .coc ? 0.97 : 0.95
        return Figure(
            what: "share of the ceiling, \(carrier.rawValue), \(interval / 1000) ms, \(direction)",
            goal: ">= \(Int(goal * 100)) %", measured: share.percent, isMet: share >= goal)
    }

    private static func shares(
        _ carrier: Bench.Carrier, intervalMicroseconds: Int
    ) async throws -> (up: Double, down: Double) {
        let bench = try Bench(carrier) {
            $0.link.connectionIntervalMicroseconds = intervalMicroseconds
            $0.attMTU = 247
        }
        let folder = try TemporaryFolder()
        let cargo = Noise(seed: 7).bytes(bytes)
        var up: TransferProgress?
        var down: TransferProgress?
        _ = try await bench.host.push(
            UploadSource(bytes: cargo, name: "cargo"), to: bench.device, as: "cargo"
        ) { if case .progress(let progress) = $0 { up = progress } }
        _ = try await bench.host.pull(
            "cargo", from: bench.device,
            to: DownloadDestination(localPath: folder.path("cargo"), remoteName: "cargo")
        ) { if case .progress(let progress) = $0 { down = progress } }
        return (try share(up), try share(down))
    }

    private static func share(_ progress: TransferProgress?) throws -> Double {
        guard let progress, progress.doneBytes == UInt64(bytes),
            let ceiling = progress.ceilingBytesPerSecond
        else { throw BrokenMeasurement("a transfer said nothing of its rate") }
        let rate = Double(progress.movedBytes) / Double(progress.linkMicroseconds) * 1e6
        return rate / ceiling
    }

    /// Ceilings in kbit/s by hand: 1408 µs an exchange; 9878 bytes in 40 of them, 244 in one.
    private static func checkCeilings() throws {
        let timing = LinkTiming(phy: .le2M, dataLengthBytes: 251, isEncrypted: true)
        for (interval, coc, gatt) in [
            (nil, 1403.1, 1386.4), (15_000, 1317.1, 1301.3), (30_000, 1382.9, 1366.4),
            (50_000, 1382.9, 1366.4),
        ] {
            let ceiling = LinkCeiling(timing: timing, connectionIntervalMicroseconds: interval)
            let found = (
                ceiling.cocBytesPerSecond(sduBytes: 40 * 247 - 2, mpsBytes: 247) * 8 / 1000,
                ceiling.gattBytesPerSecond(valueBytes: 244) * 8 / 1000
            )
            guard (found.0 / coc - 1).magnitude < 0.001, (found.1 / gatt - 1).magnitude < 0.001
            else { throw BrokenMeasurement("ceilings \(found), by hand \(coc) and \(gatt)") }
        }
    }
}

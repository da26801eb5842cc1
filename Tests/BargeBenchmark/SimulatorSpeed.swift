import Barge
import Bluetooth
import BluetoothSimulation

/// What the simulated radio costs on this computer. Nothing is promised.
enum SimulatorSpeed {
    static func measure(_ settings: Settings) async throws -> [Figure] {
        let cargo = Noise(seed: 10).bytes(8 << 20)
        return try await Bench.Carrier.allCases.asyncMap { carrier in
            let bench = try Bench(carrier)
            var progress: TransferProgress?
            let (seconds, _) = try await timed {
                try await bench.host.push(
                    UploadSource(bytes: cargo, name: "cargo"), to: bench.device, as: "cargo"
                ) { if case .progress(let news) = $0 { progress = news } }
            }
            let statistics = bench.radio.withWorld { $0.totalStatistics }
            let air = Double(progress?.linkMicroseconds ?? 0) / 1e6
            let packets = Double(2 * statistics.exchanges) / seconds
            return Figure(
                what: "simulated air, 2M, push of 8 MiB, \(carrier.rawValue)", goal: "",
                measured: "\((packets / 1000).text(0)) 000 packets/s, "
                    + "\((air / seconds).text(0)) x real time, "
                    + "\((Double(cargo.count) / seconds / 1e6).text(1)) MB/s", isMet: nil)
        }
    }
}

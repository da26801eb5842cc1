import Barge
import BluetoothSimulation

/// All bytes on the pipe of a whole push, HELLO to FIN, for each byte of a file that does not
/// deflate.
enum Overhead {
    private static let bytes = 4 << 20

    static func measure(_ settings: Settings) async throws -> [Figure] {
        try await Bench.Carrier.allCases.asyncMap { carrier in
            let bench = try Bench(carrier) { $0.link = .unlimited }
            let summary = try await bench.host.push(
                UploadSource(bytes: Noise(seed: 8).bytes(bytes), name: "noise"),
                to: bench.device, as: "noise")
            let ratio = Double(summary.sentBytes) / Double(bytes)
            return Figure(
                what: "bytes on the pipe : raw, incompressible, 4 KiB blocks, \(carrier.rawValue)",
                goal: "<= 1.005", measured: ratio.text(5), isMet: ratio <= 1.005)
        }
    }
}

extension Sequence {
    /// One after the other.
    func asyncMap<Value>(_ body: (Element) async throws -> Value) async rethrows -> [Value] {
        var values: [Value] = []
        for element in self { values.append(try await body(element)) }
        return values
    }
}

import Barge
import BargePeripheral
import Bluetooth
import BluetoothSimulation

/// What an interruption costs: bytes that a push or a flash sends twice when the link dies, or the
/// power, at a moment drawn from a seed. At most one block and what was in flight may be.
enum ResumeCost {
    private static let rounds = 50
    private static let bytes = 200_000
    /// A block, the receive window, and their frames.
    private static let bound = UInt64(4096 + 64 * 1024) * 1004 / 1000

    static func measure(_ settings: Settings) async throws -> [Figure] {
        var figures: [Figure] = []
        for carrier in Bench.Carrier.allCases {
            for interruption in Interruption.allCases {
                figures.append(try await measure(carrier, interruption))
            }
        }
        return figures
    }

    enum Interruption: String, CaseIterable {
        case link = "lost link, push"
        case power = "power cut, flash"
    }

    private static func measure(
        _ carrier: Bench.Carrier, _ interruption: Interruption
    ) async throws -> Figure {
        let clean = try await sentBytes(carrier, interruption, cutAt: nil)
        var random = Noise(seed: carrier == .coc ? 21 : 22)
        var most: UInt64 = 0
        for _ in 0..<rounds {
            let sent = try await sentBytes(carrier, interruption, cutAt: random.share())
            most = max(most, sent - min(sent, clean))
        }
        return Figure(
            what: "bytes sent twice, \(rounds) x \(interruption.rawValue), \(carrier.rawValue)",
            goal: "<= \(bound) (block + window)", measured: "\(most)", isMet: most <= bound)
    }

    /// - Parameter cutAt: where, as a share of the whole transfer; nil: nowhere.
    private static func sentBytes(
        _ carrier: Bench.Carrier, _ interruption: Interruption, cutAt share: Double?
    ) async throws -> UInt64 {
        let bench = try Bench(carrier)
        let cargo = UploadSource(bytes: Noise(seed: 20).bytes(bytes), name: "cargo")
        if let share { plan(interruption, at: share, in: bench) }
        switch interruption {
        case .link:
            return try await bench.host.push(cargo, to: bench.device, as: "cargo").sentBytes
        case .power:
            return try await bench.host.flash(cargo, to: bench.device).sentBytes
        }
    }

    private static func plan(_ interruption: Interruption, at share: Double, in bench: Bench) {
        bench.radio.withWorld { world in
            switch interruption {
            case .link:
                let packets = Double(bytes) / 243 * share
                world.cutLink(to: Bench.peer, afterDataPackets: Int(packets))
            case .power:
                let device = world.application(of: Bench.peer) as? MemoryDevice
                // Every byte of the image is erased once and programmed once.
                device?.storage.slots?.flash.cutPower(
                    PowerCut(
                        afterBytes: Int(Double(2 * bytes) * share), damage: .garbageUnit, seed: 3))
            }
        }
    }
}

extension Noise {
    /// A number in 0..<1.
    mutating func share() -> Double { Double(next() >> 11) / Double(1 << 53) }
}

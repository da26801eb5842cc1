import Bluetooth
import BluetoothSimulation

/// Something that goes wrong once, and is over after a while.
enum Mishap: Hashable, Sendable, CaseIterable {
    /// Nothing gets through any more, and both sides learn of it by their supervision timeout.
    case severed
    case outOfRange(seconds: UInt64)
    case adapterOff
    /// The device loses power for a moment.
    case reset

    static let allCases: [Mishap] = [
        .severed, .outOfRange(seconds: 20), .outOfRange(seconds: 90), .adapterOff, .reset,
    ]

    /// How long it lasts, in µs. A link's end is learned of 4 s later, which is the supervision
    /// timeout of these links.
    var microseconds: UInt64 {
        switch self {
        case .severed: 0
        case .outOfRange(let seconds): seconds * 1_000_000
        case .adapterOff: 10_000_000
        case .reset: 500_000
        }
    }

    /// Puts it into a world's future.
    func schedule(at microseconds: UInt64, in world: SimulatedWorld) {
        let begin = LinkInstant(microseconds: microseconds)
        switch self {
        case .severed:
            world.schedule(.severLinks(Bench.peer, notice: .supervisionTimeout), at: begin)
        case .outOfRange:
            world.schedule(.vanish(Bench.peer, forMicroseconds: self.microseconds), at: begin)
        case .adapterOff:
            world.schedule(.adapterPowered(false), at: begin)
            world.schedule(
                .adapterPowered(true), at: begin.advanced(microseconds: self.microseconds))
        case .reset:
            world.schedule(
                .resetDevice(Bench.peer, offMicroseconds: self.microseconds), at: begin)
        }
    }
}

extension Mishap: CustomStringConvertible {
    var description: String {
        switch self {
        case .severed: "the link dies"
        case .outOfRange(let seconds): "out of range for \(seconds) s"
        case .adapterOff: "the adapter off for 10 s"
        case .reset: "a reset of its own"
        }
    }
}

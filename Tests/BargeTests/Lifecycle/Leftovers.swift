import Bluetooth

@testable import BluetoothSimulation

extension SimulatedRadio {
    /// What a world and its radio still hold, the devices aside; empty where all is given back.
    var leftovers: [String] {
        let waiting = waiterCount
        return withWorld { world in
            Self.told([
                ("links", world.links.count), ("live links", world.liveLinks.count),
                ("channels", world.channels.count), ("operations", world.operations.count),
                ("scans", world.scans.count), ("attempts", world.connecting.count),
                ("waiters", waiting),
            ])
        }
    }

    /// As ``leftovers``, but for links that the device alone still believes in.
    var heldByCentral: [String] {
        let waiting = waiterCount
        return withWorld { world in
            let links = world.links.elements.filter { $0.isHeld || $0.ending.central == nil }
            return Self.told([
                ("links", links.count), ("operations", world.operations.count),
                ("scans", world.scans.count), ("attempts", world.connecting.count),
                ("waiters", waiting),
            ])
        }
    }

    /// Lets the supervision timeout of a link pass that ended without a word.
    func letDeviceNotice() {
        withWorld { $0.run(until: $0.now.advanced(microseconds: 5_000_000)) }
    }

    private static func told(_ counts: [(String, Int)]) -> [String] {
        counts.filter { $0.1 != 0 }.map { "\($0.1) \($0.0)" }
    }
}

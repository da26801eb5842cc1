import BargePeripheral
import BluetoothSimulation
import Testing

@testable import Barge
@testable import Bluetooth

@Suite("A link's keeper gives back all that it took")
struct LinkCyclesTests {
    private typealias Link = DeviceLink<SimulatedCentral>

    /// One radio with a small device, which is heard every 20 ms.
    private static func radio(seed: UInt64) -> SimulatedRadio {
        let world = SimulatedWorld(seed: seed)
        var configuration = DeviceConfiguration(peer: Bench.peer)
        configuration.link = .unlimited
        configuration.advertisingIntervalMicroseconds = 20_000
        world.addDevice(configuration, application: BarrenDevice())
        return SimulatedRadio(world: world)
    }

    private static func goal(_ peer: PeerID = Bench.peer) -> LinkGoal {
        var goal = LinkGoal(peers: [peer])
        goal.stepMicroseconds = 50_000
        return goal
    }

    /// Ten thousand in all, in cases that run side by side. Now and then the keeper and its user
    /// run on executors of their own, at the same time.
    @Test(
        "Ten thousand times connect, fail or cancel: no task, timer or link is left",
        arguments: 0..<4)
    func cycles(part: UInt64) async throws {
        try await Stage.play { stage in
            let radio = Self.radio(seed: part + 1)
            var dice = SplitMix64(seed: part)
            var keepers: [Weak] = []
            for number in 0..<2_500 {
                let link = Link(central: radio.central, home: number % 20 == 7 ? nil : stage)
                keepers.append(Weak(link: link))
                switch number % 3 {
                case 0: try await Self.connect(link)
                case 1: await Self.fail(link)
                default: await Self.cancel(link, radio, &dice, on: stage)
                }
                let holdings = await link.holdings
                #expect(holdings == 0, "cycle \(number)")
            }
            #expect(radio.leftovers == [])
            let alive = keepers.count { $0.link != nil }
            #expect(alive == 0)
        }
    }

    private static func connect(_ link: Link) async throws {
        _ = try await link.connect(goal())
        await link.close()
    }

    /// There is no such peer.
    private static func fail(_ link: Link) async {
        await #expect(throws: BluetoothError.self) {
            _ = try await link.connect(goal(PeerID("nobody")))
        }
    }

    private static func cancel(
        _ link: Link, _ radio: SimulatedRadio, _ dice: inout SplitMix64, on stage: isolated Stage
    ) async {
        let task = Task {
            _ = stage
            _ = try await link.connect(goal())
        }
        let moment = radio.now.advanced(microseconds: .random(in: 0...30_000, using: &dice))
        try? await radio.central.sleep(until: moment)
        task.cancel()
        _ = await task.result
        await link.close()
    }

    private struct Weak {
        weak var link: Link?
    }

    @Test("Closed while it connects, at any moment: whoever waits is told, and nothing is left")
    func closedMeanwhile() async throws {
        try await Stage.play { stage in
            let radio = Self.radio(seed: 7)
            for delay in stride(from: UInt64(0), to: 32_000, by: 500) {
                let link = Link(central: radio.central, home: stage)
                let connecting = Task {
                    _ = stage
                    _ = try await link.connect(Self.goal())
                }
                let moment = radio.now.advanced(microseconds: delay)
                try await radio.central.sleep(until: moment)
                await link.close()
                switch await connecting.result {
                case .success: break
                case .failure(let error): #expect(error as? BluetoothError == .canceled)
                }
                let holdings = await link.holdings
                #expect(holdings == 0, "closed after \(delay) µs")
                #expect(radio.leftovers == [], "closed after \(delay) µs")
            }
        }
    }

    @Test("Wanted again while it closes: both end, and the link is the new one's")
    func wantedAgain() async throws {
        try await Stage.play { stage in
            let radio = Self.radio(seed: 8)
            for delay in stride(from: UInt64(500), to: 32_000, by: 500) {
                let link = Link(central: radio.central, home: stage)
                let first = Task {
                    _ = stage
                    _ = try await link.connect(Self.goal())
                }
                let moment = radio.now.advanced(microseconds: delay)
                try await radio.central.sleep(until: moment)
                let closing = Task {
                    _ = stage
                    await link.close()
                }
                while await link.phase != .disconnected { await Task.yield() }
                // Whoever holds a connection keeps the world's memory of it.
                let peer = try await link.connect(Self.goal()).0.peer
                await closing.value
                _ = await first.result
                #expect(peer == Bench.peer)
                await link.close()
                let holdings = await link.holdings
                #expect(holdings == 0, "wanted again after \(delay) µs")
                #expect(radio.leftovers == [], "wanted again after \(delay) µs")
            }
        }
    }

    @Test("Two who connect at once: the later one has the link, the earlier one is told")
    func rivals() async throws {
        try await Stage.play { stage in
            let radio = Self.radio(seed: 9)
            let link = Link(central: radio.central, home: stage)
            let first = Task {
                _ = stage
                _ = try await link.connect(Self.goal())
            }
            try await radio.central.sleep(until: LinkInstant(microseconds: 5_000))
            _ = try await link.connect(Self.goal())
            let phase = await link.phase
            #expect(phase == .connected)
            await #expect(throws: BluetoothError.canceled) { try await first.value }
            await link.close()
            #expect(radio.leftovers == [])
        }
    }
}

import BargePeripheral
import Bluetooth
import BluetoothSimulation
import Testing

@testable import Barge

@Suite("A device that comes back otherwise is the same device")
struct AnotherAddressTests {
    @Test(
        "It has another address after each reset: it is found by its serial",
        arguments: Voyage.all, [1, 2])
    func address(voyage: Voyage, resets: UInt64) async throws {
        try await Stage.play { _ in
            let harbor = try voyage.harbor { $0.configuration.changesAddress = true }
            harbor.radio.withWorld { world in
                for number in 1...resets {
                    world.schedule(
                        .resetDevice(Bench.peer, offMicroseconds: 500_000),
                        afterDataPackets: 80 * Int(number), to: Bench.peer)
                }
            }
            _ = try await harbor.run()
            #expect(try harbor.hasArrived())
            let now = harbor.radio.withWorld { $0.currentPeer(of: Bench.peer) }
            #expect(now != Bench.peer)
        }
    }

    @Test(
        "It advertises an old name for a second after each reset, and was asked for by its name",
        arguments: Voyage.all, [true, false])
    func staleName(voyage: Voyage, changesAddress: Bool) async throws {
        try await Stage.play { _ in
            let harbor = try voyage.harbor {
                $0.configuration.staleName = "bootloader"
                $0.configuration.staleNameMicroseconds = 1_000_000
                $0.configuration.changesAddress = changesAddress
            }
            harbor.radio.withWorld {
                $0.schedule(
                    .resetDevice(Bench.peer, offMicroseconds: 500_000), afterDataPackets: 80,
                    to: Bench.peer)
            }
            _ = try await harbor.run(on: .name("bench"))
            #expect(try harbor.hasArrived())
        }
    }

    @Test(
        "Among nine others with the service it is found by its serial, and those are asked once",
        arguments: Voyage.all, [1, 2, 3])
    func crowd(voyage: Voyage, seed: UInt64) async throws {
        try await Stage.play { _ in
            let harbor = try voyage.harbor(seed: seed) { $0.configuration.changesAddress = true }
            let strangers = (1...9).map { PeerID("sim:stranger-\($0)") }
            harbor.radio.withWorld { world in
                for peer in strangers { Stranger.add(peer, to: world) }
                world.schedule(
                    .resetDevice(Bench.peer, offMicroseconds: 500_000), afterDataPackets: 80,
                    to: Bench.peer)
            }
            _ = try await harbor.run()
            #expect(try harbor.hasArrived())
            let links = harbor.radio.withWorld { world in
                strangers.map { (world.application(of: $0) as? Stranger)?.linkCount ?? 99 }
            }
            #expect(links.allSatisfy { $0 <= 1 }, "\(links)")
        }
    }

    @Test(
        "Linked by another program, at an address that nobody knows, it is found without a scan",
        arguments: Voyage.all)
    func foreignLink(voyage: Voyage) async throws {
        try await Stage.play { _ in
            let harbor = try voyage.harbor()
            harbor.radio.withWorld { world in
                world.run(until: LinkInstant(microseconds: 200_000))
                world.makeForeignLink(to: Bench.peer)
            }
            // It does not advertise: neither the old address nor a scan would find it.
            var scans = 0
            _ = try await harbor.run(
                on: .identity(serial: "BENCH-1", peers: [PeerID("sim:old")]),
                events: { if $0 == .scanning { scans += 1 } })
            #expect(try harbor.hasArrived())
            #expect(scans == 0)
        }
    }

    @Test("A device of a known serial that is not among the strangers is not waited for")
    func absent() async throws {
        try await Stage.play { _ in
            let voyage = Voyage(cargo: .push, route: .coc)
            let harbor = try voyage.harbor()
            await #expect {
                try await harbor.run(on: .identity(serial: "ELSEWHERE", peers: []))
            } throws: { error in
                (error as? BargeError)?.kind == .deviceNotFound
            }
            // A round: 10 s for each step, and the stranger is asked.
            #expect(harbor.radio.now.microseconds < 30_000_000)
            harbor.radio.letDeviceNotice()
            #expect(harbor.radio.leftovers == [])
        }
    }
}

/// A device of ours, though not the one that is wanted: it counts who links to it.
final class Stranger: PeripheralApplication {
    private let device: MemoryDevice
    private(set) var linkCount = 0

    private init(serial: String) {
        let storage = DeviceStorage<MemoryFlashMedium, MemoryFileMedium>(
            slots: nil, files: FileStore(medium: MemoryFileMedium()))
        let profile = DeviceProfile(serial: serial, localName: serial)
        device = MemoryDevice(profile: profile, storage: storage, bootID: 1)
    }

    /// Puts one into a world that is heard sooner than others.
    static func add(_ peer: PeerID, to world: SimulatedWorld) {
        var configuration = DeviceConfiguration(peer: peer)
        configuration.advertisingIntervalMicroseconds = 30_000
        world.addDevice(configuration, application: Stranger(serial: peer.rawValue))
    }

    func handle(_ event: PeripheralEvent, on stack: inout some PeripheralStack) {
        if case .connected = event { linkCount += 1 }
        device.handle(event, on: &stack)
    }

    func value(of characteristic: BluetoothUUID, for connection: ConnectionID)
        -> Result<[UInt8], ATTError>
    { device.value(of: characteristic, for: connection) }
}

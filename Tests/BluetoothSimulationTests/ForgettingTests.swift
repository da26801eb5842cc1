import Bluetooth
import Testing

@testable import BluetoothSimulation

@Suite("What a world keeps of what is over")
struct ForgettingTests {
    @Test("Two thousand connections later the world holds none of them")
    func cycles() async throws {
        let radio = makeRadio(.echo) { configuration, device in
            configuration.link.connectionIntervalMicroseconds = 7_500
            device.keepsBytes = false
        }
        for _ in 0..<2_000 {
            let end = radio.now.advanced(microseconds: 10_000_000)
            let connection = try await radio.central.connect(to: testPeer, until: end)
            let channel = try await connection.openChannel(testPSM, receiveMTU: 500, until: end)
            _ = try pattern(0..<100).withUnsafeBytes { try channel.write($0) }
            _ = try await channel.waitUntilReady(for: .reading, until: end)
            await connection.disconnect()
        }
        #expect(radio.withWorld { $0.holdings } == Holdings(devices: 1))
        #expect(radio.withWorld { $0.queue.count } < 10)
    }

    @Test("A thousand devices join, are used and leave again, and nothing of them is left")
    func guests() async throws {
        let radio = SimulatedRadio(world: SimulatedWorld(seed: 1))
        for number in 0..<1_000 {
            let peer = PeerID("guest \(number)")
            radio.withWorld {
                $0.addDevice(DeviceConfiguration(peer: peer), application: TestDevice(.sink))
            }
            let end = radio.now.advanced(microseconds: 10_000_000)
            let connection = try await radio.central.connect(to: peer, until: end)
            // Every other one leaves while its link stands.
            if number % 2 == 0 { await connection.disconnect() }
            radio.withWorld { $0.removeDevice(peer) }
            let reason = number % 2 == 0 ? LinkLossReason.localTerminated : .supervisionTimeout
            #expect(try await connection.waitUntilLost() == reason)
        }
        #expect(radio.withWorld { $0.holdings } == Holdings())
        #expect(radio.withWorld { $0.queue.count } < 10)
    }

    @Test("The last reference may be let go while the world is held", .timeLimit(.minutes(1)))
    func letGoWithin() async throws {
        let radio = makeRadio(.sink)
        var connections = [
            try await radio.central.connect(to: testPeer, until: .seconds(10))
        ]
        await connections[0].disconnect()
        #expect(radio.withWorld { $0.holdings.links } == 1)
        radio.withWorld { _ in connections.removeAll() }
        #expect(radio.withWorld { $0.holdings.links } == 0)
    }

    @Test("A device that left comes back under its name, with its bond and without its past")
    func returns() throws {
        let bench = try Bench(isEncrypted: true)
        bench.world.removeDevice(testPeer)
        #expect(bench.world.lossReason(of: bench.link) == .supervisionTimeout)
        #expect(bench.world.application(of: testPeer) == nil)
        #expect(throws: BluetoothError.peerNotFound(testPeer)) {
            try bench.world.connect(to: testPeer, until: bench.world.after(seconds: 1))
        }
        bench.world.addDevice(DeviceConfiguration(peer: testPeer), application: TestDevice(.sink))
        #expect(bench.world.bond(with: testPeer) == (true, true))
        let again = try bench.world.connect(to: testPeer, until: bench.world.after(seconds: 1))
        try bench.world.secure(again, at: .encrypted, until: bench.world.after(seconds: 1))
    }

    @Test("A call on a link that is forgotten finds it lost")
    func late() throws {
        let bench = try Bench()
        let channel = try bench.open()
        let input = try bench.characteristic(TestDevice.input)
        bench.world.release(bench.link)
        bench.world.release(channel)
        #expect(bench.world.lossReason(of: bench.link) == nil, "it stands until it is ended")
        bench.world.disconnect(bench.link, until: bench.world.after(seconds: 1))
        #expect(bench.world.holdings == Holdings(devices: 1))
        let world = bench.world
        let soon = world.after(seconds: 1)
        #expect(world.lossReason(of: bench.link) != nil)
        #expect(throws: BluetoothError.linkLost(.localTerminated)) {
            try world.writeWithoutResponse([1], to: input, on: bench.link)
        }
        #expect(throws: BluetoothError.linkLost(.localTerminated)) {
            try world.secure(bench.link, at: .encrypted, until: soon)
        }
        var got: [UInt8] = []
        #expect(throws: BluetoothError.linkLost(.localTerminated)) {
            try world.read(from: channel, into: &got, maximumBytes: 1)
        }
        world.close(channel)
        world.disconnect(bench.link, until: soon)
        #expect(world.isReady(channel, for: .reading))
    }
}

/// How many things a world holds.
struct Holdings: Equatable {
    var devices = 0
    var links = 0
    var liveLinks = 0
    var channels = 0
    var operations = 0
    var scans = 0
    var attempts = 0
}

extension SimulatedWorld {
    var holdings: Holdings {
        Holdings(
            devices: devices.count, links: links.count, liveLinks: liveLinks.count,
            channels: channels.count, operations: operations.count, scans: scans.count,
            attempts: connecting.count)
    }
}

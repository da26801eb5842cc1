import Bluetooth
import Testing

@testable import BluetoothSimulation

@Suite("The adapter, and faults on a schedule")
struct AdapterTests {
    @Test("An adapter that is full says so at once, and takes the next device when a link ends")
    func full() throws {
        let world = SimulatedWorld(seed: 1)
        world.maximumLinks = 1
        for name in ["one", "two"] {
            world.addDevice(
                DeviceConfiguration(peer: PeerID(name)), application: TestDevice(.sink))
        }
        let one = try world.connect(to: PeerID("one"), until: .seconds(1))
        let start = world.now
        #expect(throws: BluetoothError.connectionLimit) {
            try world.connect(to: PeerID("two"), until: .seconds(2))
        }
        #expect(world.now == start)
        world.disconnect(one, until: .seconds(3))
        _ = try world.connect(to: PeerID("two"), until: .seconds(4))
    }

    /// What a task may be in the middle of.
    enum Phase: CaseIterable {
        case scanning
        case connecting
        case pairing
        case discovering
        case opening
        case reading
    }

    private func run(_ phase: Phase, _ radio: SimulatedRadio) async throws {
        let end = radio.now.advanced(microseconds: 60_000_000)
        if phase == .scanning {
            var filter = ScanFilter()
            filter.name = .exactly("nobody")
            for try await _ in radio.central.advertisements(filter, until: end) {}
            return
        }
        let peer = phase == .connecting ? PeerID("nobody") : testPeer
        let connection = try await radio.central.connect(to: peer, until: end)
        if phase == .pairing {
            while true {
                try await connection.secure(.encrypted, answering: nil, until: end)
                radio.withWorld { world in
                    world.bonds = SimulatedBonds()
                    world.links.elements.forEach { $0.security = .none }
                }
            }
        }
        while phase == .discovering {
            _ = try await connection.discoverServices(TestDevice.service, until: end)
        }
        while phase == .opening {
            let channel = try await connection.openChannel(testPSM, receiveMTU: 100, until: end)
            channel.close()
        }
        let channel = try await connection.openChannel(testPSM, receiveMTU: 100, until: end)
        _ = try await channel.waitUntilReady(for: .reading, until: end)
        var got: [UInt8] = []
        _ = try channel.read(into: &got, maximumBytes: 1)
    }

    @Test(
        "An adapter that goes away ends what is under way at once, and all works when it is back",
        .timeLimit(.minutes(1)), arguments: Phase.allCases)
    func goesAway(phase: Phase) async throws {
        let radio = makeRadio(.sink)
        radio.withWorld { world in
            world.schedule(.adapterPowered(false), at: .seconds(1))
            world.schedule(.adapterPowered(true), at: .seconds(1.5))
        }
        let error = await #expect(throws: BluetoothError.self) { try await run(phase, radio) }
        #expect(radio.now == .seconds(1))
        let isUnlinked = phase == .scanning || phase == .connecting
        #expect(error == (isUnlinked ? .poweredOff : .linkLost(.adapterGone)))
        try await radio.central.waitUntilPowered(until: .seconds(2))
        #expect(radio.now == .seconds(1.5))
        // The device learns of it by silence, and is there again.
        let end = LinkInstant.seconds(10)
        var heard: [PeerID] = []
        for try await found in radio.central.advertisements(ScanFilter(), until: end) {
            heard.append(found.peer)
            break
        }
        #expect(heard == [testPeer])
        let connection = try await radio.central.connect(to: testPeer, until: end)
        await connection.disconnect()
        #expect(radio.withWorld { $0.holdings.liveLinks + $0.holdings.operations } == 0)
    }

    @Test("A fault can hit every packet of a transfer, and comes once", arguments: 1...12)
    func atPacket(count: Int) throws {
        let bench = try Bench()
        let channel = try bench.open()
        let fault = Fault.resetDevice(testPeer, offMicroseconds: 1_000)
        bench.world.schedule(fault, afterDataPackets: count, to: testPeer)
        var sent = 0
        let before = bench.world.statistics(of: bench.link).dataPackets
        try bench.fill(channel, &sent, upTo: 9_000)
        let wasReset = bench.world.run(until: bench.world.after(seconds: 1)) {
            bench.device.events.filter { $0 == .poweredOn }.count == 2
        }
        #expect(wasReset)
        let packets = bench.world.statistics(of: bench.link).dataPackets - before
        #expect(packets >= count && packets <= count + 1, "\(packets)")
        _ = try bench.world.connect(to: testPeer, until: bench.world.after(seconds: 1))
        bench.world.run(until: bench.world.after(seconds: 10))
        #expect(bench.device.events.filter { $0 == .poweredOn }.count == 2)
    }

    @Test("Each fault comes at its moment")
    func scheduled() throws {
        let bench = try Bench()
        let world = bench.world
        world.schedule(.severLinks(testPeer, notice: .immediately), at: .seconds(2))
        world.schedule(.vanish(testPeer, forMicroseconds: 3_000_000), at: .seconds(2))
        world.schedule(.loseAirtime(forMicroseconds: 1_000_000), at: .seconds(5.5))
        world.schedule(.resetDevice(PeerID("gone"), offMicroseconds: 0), at: .seconds(2))
        world.run(until: .seconds(1.999))
        #expect(world.lossReason(of: bench.link) == nil)
        world.run(until: .seconds(2))
        #expect(world.lossReason(of: bench.link) == .supervisionTimeout)
        #expect(throws: BluetoothError.peerNotFound(testPeer)) {
            try world.connect(to: testPeer, until: .seconds(4.9))
        }
        world.run(until: .seconds(5.6))
        #expect(throws: BluetoothError.peerNotFound(testPeer)) {
            try world.connect(to: testPeer, until: .seconds(6.4))
        }
        _ = try world.connect(to: testPeer, until: .seconds(7))
    }
}

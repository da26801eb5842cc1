import Bluetooth
import Testing

@testable import BluetoothSimulation

@Suite("Devices that come back otherwise")
struct OddDeviceTests {
    private func heard(
        _ world: SimulatedWorld, seconds: Double, _ filter: ScanFilter = ScanFilter()
    ) -> [Advertisement] {
        let scan = world.beginScan(filter)
        defer { world.endScan(scan) }
        world.run(until: world.after(seconds: seconds))
        var heard: [Advertisement] = []
        while let next = world.nextHeard(scan) { heard.append(next) }
        return heard
    }

    @Test("A device that changes its address is found under the new one alone")
    func address() throws {
        let bench = try Bench { configuration, _ in configuration.changesAddress = true }
        let world = bench.world
        #expect(world.currentPeer(of: testPeer) == testPeer)
        for number in 2...4 {
            world.resetDevice(testPeer, offMicroseconds: 10_000)
            let address = PeerID("device#\(number)")
            #expect(world.currentPeer(of: testPeer) == address)
            #expect(heard(world, seconds: 0.5).map(\.peer) == [address])
            #expect(throws: BluetoothError.peerNotFound(testPeer)) {
                try world.connect(to: testPeer, until: world.after(seconds: 1))
            }
            let link = try world.connect(to: address, until: world.after(seconds: 1))
            try world.secure(link, at: .encrypted, until: world.after(seconds: 1))
            #expect(world.bond(with: testPeer) == (true, true))
        }
        #expect(world.currentPeer(of: PeerID("nobody")) == nil)
        world.removeDevice(testPeer)
        #expect(world.holdings.devices == 0)
    }

    @Test("A device comes into the world at the address that it had when it left")
    func laterAddress() throws {
        let world = SimulatedWorld(seed: 1)
        var configuration = DeviceConfiguration(peer: testPeer)
        configuration.changesAddress = true
        configuration.addressNumber = 7
        world.addDevice(configuration, application: TestDevice(.sink))
        #expect(heard(world, seconds: 0.5).map(\.peer) == [PeerID("device#7")])
        #expect(world.currentPeer(of: testPeer) == PeerID("device#7"))
        world.resetDevice(PeerID("device#7"), offMicroseconds: 10_000)
        #expect(heard(world, seconds: 0.5).map(\.peer) == [PeerID("device#8")])
        for name in ["device", "device#7", "device#8"] {
            #expect(world.currentPeer(of: PeerID(name)) == PeerID("device#8"))
        }
        world.removeDevice(PeerID("device#8"))
        #expect(world.currentPeer(of: testPeer) == nil)
    }

    @Test("A device calls itself by an old name for so long after a reset, and not before")
    func staleName() throws {
        let bench = try Bench { configuration, _ in
            configuration.staleName = "bootloader"
            configuration.staleNameMicroseconds = 1_000_000
        }
        let world = bench.world
        world.disconnect(bench.link, until: world.after(seconds: 1))
        #expect(heard(world, seconds: 0.5).map(\.localName) == ["test"])
        world.resetDevice(testPeer)
        #expect(heard(world, seconds: 0.9).map(\.localName) == ["bootloader"])
        world.run(until: world.after(seconds: 0.1))
        #expect(heard(world, seconds: 0.5).map(\.localName) == ["test"])
    }

    @Test("Reboots come at random, with the mean that was asked for", arguments: [1, 7])
    func reboots(seed: UInt64) {
        let world = SimulatedWorld(seed: seed)
        let device = TestDevice(.sink)
        var configuration = DeviceConfiguration(peer: testPeer)
        configuration.meanMicrosecondsBetweenResets = 2_000_000
        configuration.rebootMicroseconds = 500_000
        world.addDevice(configuration, application: device)
        world.run(until: .seconds(5_000))
        // 2000 cycles of 2 s and 0.5 s. The deviation of their number is that of 2000 exponential
        // times, 2 s each, over 2.5 s: about 36. Four of those.
        let count = device.events.filter { $0 == .poweredOn }.count
        #expect((1_856...2_144).contains(count), "\(count)")
    }

    @Test("Strengths are spread evenly, and the same advertisement at another one is no news")
    func strength() throws {
        let world = SimulatedWorld(seed: 1)
        var configuration = DeviceConfiguration(peer: testPeer)
        configuration.rssiDBm = -60
        configuration.rssiSpreadDB = 10
        world.addDevice(configuration, application: TestDevice(.sink))
        #expect(heard(world, seconds: 10).count == 1)
        var strengths: Set<Int> = []
        for _ in 0..<500 { strengths.formUnion(heard(world, seconds: 0.2).compactMap(\.rssiDBm)) }
        #expect(strengths == Set(-70 ... -50))
    }

    @Test("What a configuration advertises goes with what the application says")
    func data() throws {
        let world = SimulatedWorld(seed: 1)
        var configuration = DeviceConfiguration(peer: testPeer)
        configuration.manufacturerData = ManufacturerData(company: 0x0059, bytes: [1, 2])
        configuration.serviceData = [BluetoothUUID(0xFE59): [3]]
        world.addDevice(configuration, application: TestDevice(.sink))
        var filter = ScanFilter()
        filter.manufacturer = ManufacturerData(company: 0x0059, bytes: [1])
        filter.serviceData = .init(service: BluetoothUUID(0xFE59), prefix: [3])
        filter.service = TestDevice.service
        #expect(heard(world, seconds: 1, filter).map(\.localName) == ["test"])
        filter.manufacturer = ManufacturerData(company: 0x004C)
        #expect(heard(world, seconds: 1, filter).isEmpty)
    }

    @Test("A link that another program made is listed, and taken over without an advertisement")
    func foreignLink() async throws {
        let radio = makeRadio(.sink)
        try await radio.central.sleep(until: .seconds(1))
        radio.withWorld { $0.makeForeignLink(to: testPeer) }
        for try await _ in radio.central.advertisements(ScanFilter(), until: .seconds(3)) {
            Issue.record("a device that is linked does not advertise")
        }
        let (central, soon) = (radio.central, LinkInstant.seconds(10))
        #expect(try await central.linkedPeers(offering: BluetoothUUID(0x1800), until: soon) == [])
        #expect(
            try await central.linkedPeers(offering: TestDevice.service, until: soon) == [testPeer])
        let start = radio.now
        let connection = try await central.connect(to: testPeer, until: soon)
        #expect(radio.now == start)
        #expect(connection.parameters.attMTU == 247)
        #expect(try await central.linkedPeers(offering: TestDevice.service, until: soon) == [])
        let services = try await connection.discoverServices(TestDevice.service, until: soon)
        #expect(services.count == 1)
        await connection.disconnect()
        // One that is made while somebody waits for the device's advertisement is theirs.
        async let waiting = central.connect(to: testPeer, until: .distantFuture)
        while radio.withWorld({ $0.connecting.isEmpty }) { await Task.yield() }
        radio.withWorld { $0.makeForeignLink(to: testPeer) }
        try await waiting.disconnect()
        #expect(radio.withWorld { $0.holdings.liveLinks + $0.holdings.operations } == 0)
    }
}

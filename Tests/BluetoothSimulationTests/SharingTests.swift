import Bluetooth
import BluetoothSimulation
import Testing

@Suite("Many links on one radio")
struct SharingTests {
    struct Crowd: CustomTestStringConvertible, Sendable {
        let links: Int
        var phy = PHY.le2M
        var dataLength = 251
        var interval = 30_000

        var testDescription: String { "\(links) links, \(phy.rawValue) \(dataLength) \(interval)" }

        /// What one link alone would carry, in bytes per second.
        var ceiling: Double { ceiling(interval: interval) }
        /// What a radio carries that is never idle.
        var physicalCeiling: Double { ceiling(interval: nil) }

        private func ceiling(interval: Int?) -> Double {
            LinkCeiling(
                timing: LinkTiming(phy: phy, dataLengthBytes: dataLength, isEncrypted: true),
                connectionIntervalMicroseconds: interval
            ).cocBytesPerSecond(sduBytes: 40 * (dataLength - 4) - 2, mpsBytes: dataLength - 4)
        }
    }

    static let crowds =
        [2, 3, 5, 10, 20, 50].flatMap {
            [Crowd(links: $0), Crowd(links: $0, interval: 7_500)]
        } + [Crowd(links: 10, phy: .le1M, dataLength: 27)]

    @Test(
        "Saturated links carry nine tenths of what one would, and none less than half its share",
        arguments: crowds)
    func share(crowd: Crowd) throws {
        let field = try Field(crowd)
        let period = 20.0
        try field.drive(seconds: 3)
        let before = field.devices.map(\.receivedCount)
        try field.drive(seconds: period)
        let rates = zip(field.devices, before).map { Double($0.receivedCount - $1) / period }
        let sum = rates.reduce(0, +)
        #expect(sum >= 0.9 * crowd.ceiling, "\(sum / crowd.ceiling)")
        // What was on the way when the measurement began counts too, hence the two hundredths.
        #expect(sum <= 1.02 * crowd.physicalCeiling)
        let slowest = try #require(rates.min())
        #expect(slowest >= 0.5 * sum / Double(crowd.links), "\(rates)")
    }

    @Test("The interval in force is told, and goes back when the others are gone")
    func intervals() throws {
        let field = try Field(Crowd(links: 10, interval: 7_500))
        func interval(_ index: Int) -> Int? {
            field.world.parameters(of: field.links[index]).connectionIntervalMicroseconds
        }
        // Seven exchanges of 1408 µs are 9856 µs, so a slice is 10 ms (Core 5.4, Vol 6, Part B,
        // 4.5.1: steps of 1.25 ms).
        #expect((0..<10).map(interval) == Array(repeating: 100_000, count: 10))
        for index in 1..<10 {
            field.world.disconnect(field.links[index], until: field.world.after(seconds: 1))
        }
        #expect(interval(0) == 7_500)
        #expect(field.world.lossReason(of: field.links[0]) == nil)
    }

    @Test("A link keeps whole periods: a longer interval of its own is rounded up to them")
    func ownInterval() throws {
        let world = SimulatedWorld(seed: 1)
        var links: [ConnectionID] = []
        for (number, interval) in [7_500, 50_000, 4_000_000].enumerated() {
            var configuration = DeviceConfiguration(peer: PeerID("\(number)"))
            configuration.link.connectionIntervalMicroseconds = interval
            configuration.link.supervisionTimeoutMicroseconds = 5_000_000
            world.addDevice(configuration, application: TestDevice(.sink))
            links.append(
                try world.connect(to: configuration.peer, until: world.after(seconds: 60)))
        }
        let told = links.map { world.parameters(of: $0).connectionIntervalMicroseconds }
        #expect(told == [30_000, 60_000, 3_990_000])
        // Twice its interval is more than its timeout was, and it stands all the same.
        world.run(until: world.after(seconds: 60))
        #expect(links.allSatisfy { world.lossReason(of: $0) == nil })
    }

    @Test("Links that come and go all the time let nobody starve")
    func restless() throws {
        let field = try Field(Crowd(links: 8))
        for number in 0..<4 { field.add(PeerID("guest \(number)")) }
        let before = field.devices.map(\.receivedCount)
        let start = field.world.now
        for round in 0..<40 {
            let guest = try field.world.connect(
                to: PeerID("guest \(round % 4)"), until: field.world.after(seconds: 5))
            try field.drive(seconds: 0.3)
            field.world.disconnect(guest, until: field.world.after(seconds: 5))
        }
        let passed = Double(field.world.now.microseconds(since: start)) / 1_000_000
        let rates = zip(field.devices, before).map { Double($0.receivedCount - $1) / passed }
        let mean = rates.prefix(8).reduce(0, +) / 8
        #expect(rates.prefix(8).allSatisfy { $0 >= 0.5 * mean }, "\(rates)")
        #expect(field.links.allSatisfy { field.world.lossReason(of: $0) == nil })
    }
}

/// Many sinks and a saturated channel to each.
private final class Field {
    let world = SimulatedWorld(seed: 7)
    private(set) var devices: [TestDevice] = []
    private(set) var links: [ConnectionID] = []
    private var channels: [ChannelID] = []
    private var piece: [UInt8] = []
    private let crowd: SharingTests.Crowd

    init(_ crowd: SharingTests.Crowd) throws {
        self.crowd = crowd
        for number in 0..<crowd.links {
            let peer = PeerID("device \(number)")
            add(peer)
            let link = try world.connect(to: peer, until: world.after(seconds: 100))
            try world.secure(link, at: .encrypted, until: world.after(seconds: 100))
            links.append(link)
            channels.append(
                try world.openChannel(
                    testPSM, on: link, receiveMTU: 65_535, until: world.after(seconds: 100)))
        }
        piece = pattern(0..<world.efficientWriteBytes(of: channels[0]))
    }

    func add(_ peer: PeerID) {
        var configuration = DeviceConfiguration(peer: peer)
        configuration.link.phy = crowd.phy
        configuration.link.dataLengthBytes = crowd.dataLength
        configuration.link.connectionIntervalMicroseconds = crowd.interval
        configuration.link.deviceCredits = .fixed(400)
        let device = TestDevice(.sink)
        device.keepsBytes = false
        device.receiveBufferBytes = 1 << 17
        devices.append(device)
        world.addDevice(configuration, application: device)
    }

    func drive(seconds: Double) throws {
        let end = world.after(seconds: seconds)
        while world.now < end {
            for channel in channels where world.isReady(channel, for: .writing) {
                while try piece.withUnsafeBytes({ try world.write($0, to: channel) }) > 0 {}
            }
            world.step()
        }
    }
}

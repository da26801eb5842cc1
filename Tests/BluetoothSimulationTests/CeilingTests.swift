import Bluetooth
import BluetoothSimulation
import Testing

@Suite("The ceiling of a radio that is always busy")
struct CeilingTests {
    @Test(
        "The simulated radio carries what physics allows, within 1 %", arguments: CeilingTable.cells
    )
    func simulated(cell: CeilingTable.Cell) throws {
        let bench = try Bench(isEncrypted: cell.isEncrypted) { configuration, device in
            device.keepsBytes = false
            device.receiveBufferBytes = 1 << 17
            configuration.attMTU = cell.column.attMTU ?? 23
            configuration.link.phy = cell.phy
            configuration.link.dataLengthBytes = cell.dataLength
            configuration.link.connectionIntervalMicroseconds = 4_000_000
            configuration.link.supervisionTimeoutMicroseconds = 32_000_000
            configuration.link.mpsBytes = cell.mps
            configuration.link.maximumFramesPerSDU = cell.column.framesPerSDU
            if cell.column == .channelOneFrame { configuration.link.deviceCredits = .fixed(200) }
        }
        // What passes in so many seconds at the rate that is expected: enough for one idle end of
        // an interval, up to 18 ms, to count for little.
        let seconds = cell.phy == .le1M || cell.phy == .le2M ? 3.0 : 8.0
        let bytes = Int(cell.kilobits / 8 * 1000 * seconds)
        let measured =
            cell.column.attMTU == nil
            ? try bench.channelRate(warmUp: bytes / 4, bytes: bytes)
            : try bench.attributeRate(
                valueBytes: cell.valueBytes, warmUp: bytes / 4, bytes: bytes)
        #expect(abs(measured / cell.kilobits - 1) < 0.01, "\(measured)")
    }

    @Test("The formulas give the table, to its last digit", arguments: CeilingTable.cells)
    func formulas(cell: CeilingTable.Cell) {
        let ceiling = LinkCeiling(timing: cell.timing, connectionIntervalMicroseconds: nil)
        let bytesPerSecond =
            cell.column.attMTU == nil
            ? ceiling.cocBytesPerSecond(sduBytes: cell.sduBytes, mpsBytes: cell.mps)
            : ceiling.gattBytesPerSecond(valueBytes: cell.valueBytes)
        // The long K-frame's length is a guess, so that column is held to 0.1 % instead.
        let tolerance = cell.column == .channelLongFrame ? cell.kilobits * 0.001 : 0.051
        #expect(abs(bytesPerSecond * 8 / 1000 - cell.kilobits) <= tolerance)
    }
}

@Suite("What connection intervals leave")
struct IntervalTests {
    /// Interval in µs, the most exchanges in an event, kbit/s: 2M, or 1M where it says so; 251
    /// bytes, encrypted, CoC.
    static let figures: [(phy: PHY, interval: Int, most: Int?, kilobits: Double)] = [
        (.le2M, 7_500, nil, 1317), (.le2M, 11_250, nil, 1230), (.le2M, 12_500, nil, 1265),
        (.le2M, 15_000, nil, 1317), (.le2M, 30_000, nil, 1383), (.le2M, 50_000, nil, 1383),
        (.le2M, 100_000, nil, 1403), (.le2M, 400_000, nil, 1403),
        (.le1M, 7_500, nil, 790), (.le1M, 11_250, nil, 703), (.le1M, 12_500, nil, 790),
        (.le1M, 15_000, nil, 790),
        (.le2M, 15_000, 4, 527), (.le2M, 30_000, 4, 263), (.le2M, 50_000, 4, 158),
        (.le2M, 15_000, 6, 790), (.le2M, 30_000, 6, 395), (.le2M, 50_000, 6, 237),
    ]

    @Test("An interval holds as many whole exchanges as fit, within 1 %", arguments: figures)
    func simulated(figure: (phy: PHY, interval: Int, most: Int?, kilobits: Double)) throws {
        let bench = try Bench(isEncrypted: true) { configuration, device in
            device.keepsBytes = false
            device.receiveBufferBytes = 1 << 17
            // Where the exchanges fill the interval to the microsecond, each return of credits
            // costs one of them; the figures leave those out, so they are made rare.
            configuration.link.deviceCredits = .fixed(400)
            configuration.link.phy = figure.phy
            configuration.link.connectionIntervalMicroseconds = figure.interval
            configuration.link.maximumExchangesPerEvent = figure.most
        }
        let measured = try bench.channelRate(bytes: 1_000_000)
        #expect(abs(measured / figure.kilobits - 1) < 0.01, "\(measured)")
    }

    @Test(
        "The formula gives the same figures", arguments: figures.filter { $0.most == nil })
    func formula(figure: (phy: PHY, interval: Int, most: Int?, kilobits: Double)) {
        let timing = LinkTiming(phy: figure.phy, dataLengthBytes: 251, isEncrypted: true)
        let ceiling = LinkCeiling(
            timing: timing, connectionIntervalMicroseconds: figure.interval)
        let kilobits = ceiling.cocBytesPerSecond(sduBytes: 40 * 247 - 2, mpsBytes: 247) * 8 / 1000
        #expect(abs(kilobits / figure.kilobits - 1) < 0.002, "\(kilobits)")
    }

    @Test(
        "A write with response takes two intervals",
        arguments: [(23, 30_000, 2.7), (247, 7_500, 130)])
    func writeRequests(mtu: Int, interval: Int, kilobits: Double) throws {
        let bench = try Bench { configuration, _ in
            configuration.attMTU = mtu
            configuration.link.connectionIntervalMicroseconds = interval
        }
        let input = try bench.characteristic(TestDevice.input)
        let start = bench.world.now
        for _ in 0..<50 {
            try bench.world.write(
                pattern(0..<mtu - 3), to: input, on: bench.link,
                until: bench.world.after(seconds: 1))
        }
        let passed = bench.world.now.microseconds(since: start)
        let measured = Double(50 * (mtu - 3)) * 8000 / Double(passed)
        #expect(abs(measured / kilobits - 1) < 0.02, "\(measured)")
    }

    @Test("Three saturated links share the air evenly and lose less than a tenth of it")
    func sharedAir() throws {
        let world = SimulatedWorld(seed: 7)
        var devices: [TestDevice] = []
        var channels: [ChannelID] = []
        for number in 0..<3 {
            var configuration = DeviceConfiguration(peer: PeerID("device \(number)"))
            configuration.link.connectionIntervalMicroseconds = 100_000
            let device = TestDevice(.sink)
            device.keepsBytes = false
            devices.append(device)
            world.addDevice(configuration, application: device)
        }
        for device in 0..<3 {
            let peer = PeerID("device \(device)")
            let link = try world.connect(to: peer, until: world.after(seconds: 10))
            try world.secure(link, at: .encrypted, until: world.after(seconds: 10))
            channels.append(
                try world.openChannel(
                    testPSM, on: link, receiveMTU: 65_535, until: world.after(seconds: 10)))
        }
        let piece = pattern(0..<world.efficientWriteBytes(of: channels[0]))
        func drive(seconds: Double) throws {
            let end = world.after(seconds: seconds)
            while world.now < end {
                for channel in channels {
                    while try piece.withUnsafeBytes({ try world.write($0, to: channel) }) > 0 {}
                }
                world.step()
            }
        }
        try drive(seconds: 2)
        let before = devices.map(\.receivedCount)
        try drive(seconds: 20)
        let rates = zip(devices, before).map { Double($0.receivedCount - $1) * 8 / 20_000 }
        #expect(rates.reduce(0, +) > 0.9 * 1403)
        #expect(rates.allSatisfy { abs($0 / (rates.reduce(0, +) / 3) - 1) < 0.05 }, "\(rates)")
    }
}

import Bluetooth
import BluetoothSimulation
import Testing

@Suite("How links and channels end")
struct LinkLifeTests {
    @Test(
        "A device that loses power is missed after the supervision timeout, and can be found again")
    func powerLoss() throws {
        let bench = try Bench()
        let start = bench.world.now
        bench.world.resetDevice(testPeer, offMicroseconds: 500_000)
        let lost = bench.world.run(until: bench.world.after(seconds: 30)) {
            bench.world.lossReason(of: bench.link) != nil
        }
        #expect(lost)
        let passed = bench.world.now.microseconds(since: start)
        #expect((3_970_000...4_000_000).contains(passed))
        #expect(bench.world.lossReason(of: bench.link) == .supervisionTimeout)
        // No word of the old link reached the application: it had no power.
        #expect(bench.device.events.filter { $0 == .poweredOn }.count == 2)
        #expect(!bench.device.events.contains(.disconnected(bench.link)))
        let again = try bench.world.connect(to: testPeer, until: bench.world.after(seconds: 5))
        #expect(again != bench.link)
    }

    @Test("Out of range, both ends learn of it, each after its own silence")
    func outOfRange() throws {
        let bench = try Bench()
        bench.world.vanish(testPeer, forMicroseconds: 10_000_000)
        bench.world.run(until: bench.world.after(seconds: 4.1))
        #expect(bench.world.lossReason(of: bench.link) == .supervisionTimeout)
        #expect(bench.device.events.contains(.disconnected(bench.link)))
        #expect(throws: BluetoothError.peerNotFound(testPeer)) {
            try bench.world.connect(to: testPeer, until: bench.world.after(seconds: 1))
        }
        _ = try bench.world.connect(to: testPeer, until: bench.world.after(seconds: 10))
    }

    @Test("A close purges what was queued and not yet on the air")
    func purge() throws {
        let bench = try Bench()
        let channel = try bench.open()
        var sent = 0
        try bench.fill(channel, &sent)
        bench.world.run(until: bench.world.after(seconds: 0.1))
        bench.world.close(channel)
        bench.world.run(until: bench.world.after(seconds: 1))
        let got = bench.device.received
        #expect(got.count < sent)
        #expect(got == pattern(0..<got.count))
        #expect(bench.device.events.last == .channelClosed(channel))
        #expect(throws: BluetoothError.channelClosed) {
            try bench.world.write(UnsafeRawBufferPointer(start: nil, count: 0), to: channel)
        }
    }

    @Test("What arrived before a loss can still be read, and then the loss is told")
    func readableAfterLoss() throws {
        let bench = try Bench(.source(bytes: 10_000))
        let channel = try bench.open(receiveMTU: 1_000)
        bench.world.run(until: bench.world.after(seconds: 2))
        bench.world.severLinks(to: testPeer)
        #expect(bench.world.isReady(channel, for: .reading))
        var got: [UInt8] = []
        while got.count < 10_000 {
            #expect(try bench.world.read(from: channel, into: &got, maximumBytes: 700) > 0)
        }
        #expect(got == pattern(0..<10_000))
        #expect(throws: BluetoothError.linkLost(.supervisionTimeout)) {
            try bench.world.read(from: channel, into: &got, maximumBytes: 1)
        }
    }

    @Test(
        "A link can be cut at every packet: what was read is always the beginning of what was sent")
    func everyPacket() throws {
        var lengths: Set<Int> = []
        for count in 0..<60 {
            let bench = try Bench { configuration, device in
                device.receiveMTU = 500
                configuration.link.sendBufferBytes = 10_000
            }
            let channel = try bench.open()
            bench.world.cutLink(to: testPeer, afterDataPackets: count, notice: .immediately)
            var sent = 0
            try bench.fill(channel, &sent, upTo: 6_000)
            bench.world.run(until: bench.world.after(seconds: 1))
            let got = bench.device.received
            #expect(got == pattern(0..<got.count))
            #expect(got.count == 6_000 || got.count % (2 * 247 - 2) == 0, "whole SDUs only")
            lengths.insert(got.count)
            let wasCut = bench.world.lossReason(of: bench.link) != nil
            #expect(wasCut || got.count == 6_000)
            #expect(wasCut == bench.device.events.contains(.disconnected(bench.link)))
        }
        #expect(lengths.count > 10)
        #expect(lengths.contains(0))
        #expect(lengths.contains(6_000))
    }

    @Test("A cut that nobody is told of is found out by silence, on both sides")
    func silentCut() throws {
        let bench = try Bench()
        let channel = try bench.open()
        bench.world.cutLink(to: testPeer, afterDataPackets: 1)
        var sent = 0
        try bench.fill(channel, &sent, upTo: 6_000)
        bench.world.run(until: bench.world.after(seconds: 3))
        #expect(bench.world.lossReason(of: bench.link) == nil)
        bench.world.run(until: bench.world.after(seconds: 2))
        #expect(bench.world.lossReason(of: bench.link) == .supervisionTimeout)
        #expect(bench.device.events.contains(.disconnected(bench.link)))
    }

    @Test("A disconnection is known to both sides at once, with its author")
    func disconnect() throws {
        let bench = try Bench()
        let channel = try bench.open()
        bench.world.disconnect(bench.link, until: bench.world.after(seconds: 1))
        #expect(bench.world.lossReason(of: bench.link) == .localTerminated)
        bench.world.run(until: bench.world.after(seconds: 0.01))
        #expect(
            bench.device.events.suffix(2) == [.channelClosed(channel), .disconnected(bench.link)])
        #expect(throws: BluetoothError.linkLost(.localTerminated)) {
            try bench.world.openChannel(
                testPSM, on: bench.link, receiveMTU: 100, until: bench.world.after(seconds: 1))
        }
    }

    @Test("An adapter that is switched off ends its links, and connects to nobody")
    func adapterOff() throws {
        let bench = try Bench()
        bench.world.setAdapterPowered(false)
        #expect(bench.world.lossReason(of: bench.link) == .adapterGone)
        #expect(throws: BluetoothError.poweredOff) {
            try bench.world.connect(to: testPeer, until: bench.world.after(seconds: 1))
        }
        bench.world.setAdapterPowered(true)
        _ = try bench.world.connect(to: testPeer, until: bench.world.after(seconds: 10))
    }

    @Test("A connection takes an advertising interval at most, and three connection intervals")
    func connectionTime() throws {
        for seed in 1...50 {
            let bench = try Bench(seed: UInt64(seed))
            // 100 ms and 0...10 ms; then 30 ms to the first event, the MTU's request in it, and
            // its answer in the second one.
            #expect(
                (160_000...175_000).contains(bench.world.now.microseconds),
                "\(bench.world.now.microseconds)")
        }
    }

    @Test("A link without air time moves everything in no time, in order, against back-pressure")
    func unlimited() throws {
        let bench = try Bench(.echo) { configuration, _ in configuration.link = .unlimited }
        let channel = try bench.open()
        let start = bench.world.now
        var sent = 0
        var back: [UInt8] = []
        while back.count < 1_000_000 {
            try bench.fill(channel, &sent, upTo: 1_000_000)
            _ = try bench.world.read(from: channel, into: &back, maximumBytes: .max)
            guard back.count < 1_000_000 else { break }
            try #require(bench.world.step())
        }
        #expect(back == pattern(0..<1_000_000))
        #expect(bench.world.now == start)
        bench.world.cutLink(to: testPeer, afterDataPackets: 0)
        try bench.fill(channel, &sent, upTo: 2_000_000)
        bench.world.run(until: bench.world.after(seconds: 4.1))
        #expect(bench.world.lossReason(of: bench.link) == .supervisionTimeout)
        #expect(bench.device.events.contains(.disconnected(bench.link)))
    }
}

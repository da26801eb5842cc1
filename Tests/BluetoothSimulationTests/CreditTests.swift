import Bluetooth
import BluetoothSimulation
import Testing

@Suite("Credits")
struct CreditTests {
    @Test("One credit at a time moves one K-frame in two intervals", arguments: [7_500, 30_000])
    func oneCredit(interval: Int) throws {
        let bench = try Bench { configuration, device in
            device.keepsBytes = false
            configuration.link.deviceCredits = .one
            configuration.link.connectionIntervalMicroseconds = interval
        }
        // SDUs of 40 K-frames of 247 bytes, less the SDU's length.
        let expected = Double(40 * 247 - 2) / 40 * 8000 / Double(2 * interval)
        let measured = try bench.channelRate(warmUp: 9_878, bytes: 10 * 9_878)
        #expect(abs(measured / expected - 1) < 0.01, "\(measured)")
    }

    /// What makes Linux slow by default: an MTU of 672 gives 672 / 247 + 1 = 3 credits, one SDU.
    @Test("Credits for one SDU move one SDU in two intervals")
    func oneSDU() throws {
        let sduBytes = 3 * 247 - 2
        let bench = try Bench { configuration, device in
            device.keepsBytes = false
            device.receiveMTU = sduBytes
            configuration.link.deviceCredits = .kernelBefore6_1_93
            configuration.link.connectionIntervalMicroseconds = 50_000
        }
        let measured = try bench.channelRate(warmUp: 5_000, bytes: 50_000)
        let expected = Double(sduBytes) * 8 / 100
        #expect(abs(measured / expected - 1) < 0.01, "\(measured)")
    }

    /// A device that does not read, and a central that sends more than it holds.
    private func overrun(_ policy: CreditPolicy) throws -> (bench: Bench, sent: Int, id: ChannelID)
    {
        let bench = try Bench(.lazy) { configuration, device in
            device.receiveMTU = 2_000
            device.receiveBufferBytes = 10_000
            configuration.link.deviceCredits = policy
            configuration.link.sendBufferBytes = 100_000
        }
        let channel = try bench.open()
        var sent = 0
        try bench.fill(channel, &sent, upTo: 60_000)
        bench.world.run(until: bench.world.after(seconds: 5))
        return (bench, sent, channel)
    }

    @Test("A kernel before 6.1.93 loses, silently, what its buffer does not hold")
    func oldKernelLoses() throws {
        let (bench, _, _) = try overrun(.kernelBefore6_1_93)
        #expect(bench.world.statistics(of: bench.link).lostSDUs > 0)
        #expect(bench.world.lossReason(of: bench.link) == nil)
    }

    @Test(
        "No other receiver loses anything: it withholds credits until it is read",
        arguments: [CreditPolicy.kernelModern, .one, .fixed(20)])
    func othersWithhold(policy: CreditPolicy) throws {
        let (bench, _, channel) = try overrun(policy)
        #expect(bench.world.statistics(of: bench.link).lostSDUs == 0)
        #expect(bench.device.receivedCount == 0)
        bench.device.role = .sink
        bench.world.closeAndReadAll(channel, bench)
        #expect(
            bench.device.received == Array(pattern(0..<60_000).prefix(bench.device.receivedCount)))
        #expect(bench.device.receivedCount >= 8_000, "the buffer held what it promised")
        #expect(bench.device.receivedCount <= 10_000 + 20 * 247)
    }

    @Test("The central's reading is what lets the device go on")
    func centralReads() throws {
        let bench = try Bench(.source(bytes: 200_000))
        let channel = try bench.open(receiveMTU: 4_000)
        bench.world.run(until: bench.world.after(seconds: 5))
        var got: [UInt8] = []
        _ = try bench.world.read(from: channel, into: &got, maximumBytes: .max)
        #expect(got.count <= 80 * 247 + 4_000)
        while got.count < 200_000 {
            let ready = bench.world.run(until: bench.world.after(seconds: 5)) {
                bench.world.isReady(channel, for: .reading)
            }
            try #require(ready)
            _ = try bench.world.read(from: channel, into: &got, maximumBytes: 1_000)
        }
        #expect(got == pattern(0..<200_000))
    }

    @Test("What a full queue does not take is told, and half a queue later it takes more")
    func backPressure() throws {
        let bench = try Bench { configuration, _ in configuration.link.sendBufferBytes = 20_000 }
        let channel = try bench.open()
        let bytes = pattern(0..<100_000)
        let taken = try bytes.withUnsafeBytes { try bench.world.write($0, to: channel) }
        // Three SDUs of 9878 bytes: the third is taken whole because there was room left.
        #expect(taken == 3 * (40 * 247 - 2))
        #expect(!bench.world.isReady(channel, for: .writing))
        let again = try bytes.withUnsafeBytes { try bench.world.write($0, to: channel) }
        #expect(again == 0)
        let ready = bench.world.run(until: bench.world.after(seconds: 5)) {
            bench.world.isReady(channel, for: .writing)
        }
        #expect(ready)
        #expect(bench.device.receivedCount >= 9_878)
    }
}

extension SimulatedWorld {
    /// Ends the channel from this side: the device is called once more, and reads what it holds.
    fileprivate func closeAndReadAll(_ channel: ChannelID, _ bench: Bench) {
        bench.device.readsAtClose = true
        close(channel)
        run(until: after(seconds: 2))
    }
}

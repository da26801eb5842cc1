import Bluetooth
import BluetoothSimulation
import Testing

@Suite("Damaged packets")
struct LossTests {
    @Test("Everything arrives, once and in order, whatever the seed", arguments: 1...20)
    func complete(seed: UInt64) throws {
        let bench = try Bench(.echo, seed: seed, isEncrypted: true) { configuration, _ in
            configuration.link.packetLossProbability = 0.2
            configuration.link.connectionIntervalMicroseconds = 7_500
        }
        let channel = try bench.open()
        var sent = 0
        var back: [UInt8] = []
        while back.count < 20_000 {
            try bench.fill(channel, &sent, upTo: 20_000)
            _ = try bench.world.read(from: channel, into: &back, maximumBytes: .max)
            try #require(bench.world.step())
        }
        #expect(bench.device.received == pattern(0..<20_000))
        #expect(back == pattern(0..<20_000))
        #expect(bench.world.statistics(of: bench.link).repeatedDataPackets > 0)
    }

    /// An event goes on while packets arrive: exchange number i of at most n is acknowledged with
    /// probability q^i, where q = (1 - p)² is that of both packets. So an interval moves
    /// q (1 - q^n) / (1 - q) packets on average.
    @Test("The rate falls as the formula says, within 4 %", arguments: [0.01, 0.05, 0.2])
    func rate(probability: Double) throws {
        let bench = try Bench { configuration, device in
            device.keepsBytes = false
            device.receiveBufferBytes = 1 << 17
            configuration.link.deviceCredits = .fixed(400)
            configuration.link.packetLossProbability = probability
            configuration.link.connectionIntervalMicroseconds = 15_000
        }
        let good = (1 - probability) * (1 - probability)
        var whole = 0.0
        var power = 1.0
        for _ in 0..<(15_000 / 1_392) {
            power *= good
            whole += power
        }
        // A K-frame of 247 bytes carries 9878 / 40 bytes of an SDU of 40.
        let expected = whole * 9_878 / 40 * 8 / 15
        let measured = try bench.channelRate(bytes: 1_500_000)
        #expect(abs(measured / expected - 1) < 0.04, "\(measured) of \(expected)")
    }

    @Test("A link on which nothing arrives is given up after the supervision timeout")
    func hopeless() throws {
        let bench = try Bench { configuration, _ in
            configuration.link.supervisionTimeoutMicroseconds = 1_000_000
        }
        let start = bench.world.now
        bench.world.loseAirtime(forMicroseconds: 60_000_000)
        let lost = bench.world.run(until: bench.world.after(seconds: 30)) {
            bench.world.lossReason(of: bench.link) != nil
        }
        #expect(lost)
        #expect(bench.world.lossReason(of: bench.link) == .supervisionTimeout)
        // The last packet was heard at most one interval before the silence.
        let passed = bench.world.now.microseconds(since: start)
        #expect((970_000...1_000_000).contains(passed))
    }

    @Test("A silence shorter than the supervision timeout costs time and nothing else")
    func shortSilence() throws {
        let bench = try Bench { configuration, _ in
            configuration.link.supervisionTimeoutMicroseconds = 1_000_000
        }
        let channel = try bench.open()
        var sent = 0
        try bench.fill(channel, &sent, upTo: 30_000)
        bench.world.loseAirtime(forMicroseconds: 900_000)
        bench.world.run(until: bench.world.after(seconds: 3))
        #expect(bench.world.lossReason(of: bench.link) == nil)
        #expect(bench.device.received == pattern(0..<30_000))
    }
}

@Suite("Traces")
struct TraceTests {
    private func hash(seed: UInt64, loss: Double) throws -> UInt64 {
        let bench = try Bench(.echo, seed: seed, isEncrypted: true) { configuration, _ in
            configuration.link.packetLossProbability = loss
        }
        let channel = try bench.open()
        var sent = 0
        for _ in 0..<4_000 {
            try bench.fill(channel, &sent, upTo: 100_000)
            bench.world.step()
        }
        return bench.world.traceHash
    }

    @Test("Equal seeds go the same way, event for event", arguments: [0.0, 0.1])
    func equal(loss: Double) throws {
        #expect(try hash(seed: 5, loss: loss) == hash(seed: 5, loss: loss))
    }

    @Test("Different seeds go different ways where chance has a say")
    func different() throws {
        let hashes = try (1...8).map { try hash(seed: $0, loss: 0.1) }
        #expect(Set(hashes).count == 8)
    }
}

import Bluetooth
import BluetoothSimulation
import Testing

@Suite("Channels")
struct ChannelTests {
    @Test("A saturated channel at 2M and 251 bytes, encrypted, reaches 1403.1 kbit/s")
    func ceiling() throws {
        var configuration = DeviceConfiguration(peer: testPeer)
        configuration.link.connectionIntervalMicroseconds = 4_000_000
        let world = SimulatedWorld(seed: 1)
        let device = TestDevice(.sink)
        world.addDevice(configuration, application: device)
        let link = try world.connect(to: testPeer, until: .seconds(100))
        try world.secure(link, at: .encrypted, until: .seconds(200))
        let channel = try world.openChannel(
            testPSM, on: link, receiveMTU: 65_535, until: .seconds(300))
        let chunk = pattern(0..<world.efficientWriteBytes(of: channel))
        var samples: [(Int, LinkInstant)] = []
        let deadline = world.after(seconds: 20)
        while world.now < deadline {
            while try chunk.withUnsafeBytes({ try world.write($0, to: channel) }) == chunk.count {}
            world.step()
            samples.append((device.receivedCount, device.receivedAt))
        }
        let half = samples[samples.count / 2]
        let last = samples[samples.count - 1]
        let rate = Double(last.0 - half.0) * 8000 / Double(last.1.microseconds(since: half.1))
        #expect(abs(rate / 1403.1 - 1) < 0.01, "\(rate)")
    }
}

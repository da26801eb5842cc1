import Bluetooth
import BluetoothSimulation
import Testing

/// A radio with one device.
func makeRadio(
    _ role: TestDevice.Role, pace: Pace = .max, seed: UInt64 = 1,
    _ adjust: (inout DeviceConfiguration, TestDevice) -> Void = { _, _ in }
) -> SimulatedRadio {
    let world = SimulatedWorld(seed: seed)
    var configuration = DeviceConfiguration(peer: testPeer)
    let device = TestDevice(role)
    adjust(&configuration, device)
    world.addDevice(configuration, application: device)
    return SimulatedRadio(world: world, pace: pace)
}

@Suite("The radio for tasks")
struct RadioTests {
    @Test("Bytes go out and come back through the async layer, and the trace is the seed's")
    func echo() async throws {
        func run() async throws -> (bytes: [UInt8], hash: UInt64) {
            let radio = makeRadio(.echo)
            let connection = try await radio.central.connect(to: testPeer, until: .seconds(10))
            try await connection.secure(.encrypted, until: .seconds(20))
            let channel = try await connection.openChannel(
                testPSM, receiveMTU: 65_535, until: .seconds(30))
            let sent = pattern(0..<30_000)
            var offset = 0
            var received: [UInt8] = []
            while received.count < sent.count {
                if offset < sent.count {
                    offset += try sent[offset...].withUnsafeBytes { try channel.write($0) }
                }
                _ = try channel.read(into: &received, maximumBytes: .max)
                let interest: Interest = offset < sent.count ? [.reading, .writing] : .reading
                guard received.count < sent.count else { break }
                #expect(
                    try await channel.waitUntilReady(for: interest, until: .seconds(60)) == .ready)
            }
            channel.close()
            await connection.disconnect()
            #expect(received == sent)
            return (received, radio.withWorld { $0.traceHash })
        }
        let first = try await run()
        let second = try await run()
        #expect(first.hash == second.hash)
    }
}

let testPSM = PSM(0x0080)!

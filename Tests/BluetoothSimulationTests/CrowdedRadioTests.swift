import Bluetooth
import Testing

@testable import BluetoothSimulation

@Suite("A radio that many tasks wait for")
struct CrowdedRadioTests {
    @Test(
        "Fifty tasks transfer at once, and fifty more only watch their links",
        .timeLimit(.minutes(1)))
    func fifty() async throws {
        let world = SimulatedWorld(seed: 3)
        for number in 0..<50 {
            world.addDevice(
                DeviceConfiguration(peer: PeerID("\(number)")), application: TestDevice(.echo))
        }
        let radio = SimulatedRadio(world: world)
        let counts = try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<50 {
                group.addTask { try await watchedRoundTrip(radio, PeerID("\(number)")) }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(counts == Array(repeating: 50_000, count: 50))
    }
}

/// Sends bytes to an echo and takes them back, while another task waits for the link's loss.
private func watchedRoundTrip(_ radio: SimulatedRadio, _ peer: PeerID) async throws -> Int {
    let end = LinkInstant.seconds(10_000)
    let connection = try await radio.central.connect(to: peer, until: end)
    async let loss = connection.waitUntilLost()
    let channel = try await connection.openChannel(testPSM, receiveMTU: 65_535, until: end)
    let sent = pattern(0..<50_000)
    var offset = 0
    var got: [UInt8] = []
    while got.count < sent.count {
        offset += try sent[offset...].withUnsafeBytes { try channel.write($0) }
        let interest: Interest = offset < sent.count ? [.reading, .writing] : .reading
        guard try await channel.waitUntilReady(for: interest, until: end) == .ready else { break }
        _ = try channel.read(into: &got, maximumBytes: .max)
    }
    await connection.disconnect()
    #expect(try await loss == .localTerminated)
    return got == sent ? got.count : -1
}

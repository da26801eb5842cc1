import Bluetooth
import Testing

@testable import BluetoothSimulation

@Suite("Applications that are run from a task")
struct SimulatedPeripheralTests {
    @Test("An application is there while it is served, and gone when that is canceled")
    func serve() async throws {
        let radio = SimulatedRadio(world: SimulatedWorld(seed: 1))
        let peripheral = SimulatedPeripheral(
            radio: radio, configuration: DeviceConfiguration(peer: testPeer))
        for _ in 0..<2 {
            let serving = Task { try await peripheral.serve(TestDevice(.sink)) }
            while radio.waiterCount == 0 { await Task.yield() }
            await #expect(throws: BluetoothError.self) {
                try await peripheral.serve(TestDevice(.sink))
            }
            let end = radio.now.advanced(microseconds: 5_000_000)
            let connection = try await radio.central.connect(to: testPeer, until: end)
            serving.cancel()
            await #expect(throws: BluetoothError.canceled) { try await serving.value }
            #expect(try await connection.waitUntilLost() == .supervisionTimeout)
            #expect(radio.withWorld { $0.holdings.devices } == 0)
        }
        let serving = Task { try await peripheral.serve(TestDevice(.sink)) }
        while radio.waiterCount == 0 { await Task.yield() }
        radio.withWorld { $0.removeDevice(testPeer) }
        try await serving.value
    }

    @Test("What does not fit an advertisement is refused, and nothing is advertised")
    func tooLong() throws {
        let world = SimulatedWorld(seed: 1)
        let device = TestDevice(.sink)
        device.localName = String(repeating: "n", count: 30)
        world.addDevice(DeviceConfiguration(peer: testPeer), application: device)
        #expect(throws: BluetoothError.peerNotFound(testPeer)) {
            try world.connect(to: testPeer, until: .seconds(2))
        }
        #expect(device.advertisingError == .advertisementTooLong(bytes: 32, limit: 31))
    }
}

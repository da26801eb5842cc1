import Bluetooth
import BluetoothSimulation
import Testing

@Suite("Writes and subscriptions of a client")
struct GATTClientTests {
    private func connect(
        _ radio: SimulatedRadio
    ) async throws -> (SimulatedConnection, [GATTCharacteristic]) {
        let connection = try await radio.central.connect(to: testPeer, until: .seconds(10))
        let services = try await connection.discoverServices(
            TestDevice.service, until: .seconds(20))
        let found = try await connection.discoverCharacteristics(
            of: try #require(services.first), until: .seconds(20))
        return (connection, found)
    }

    @Test("A write takes the way that the characteristic allows, the faster of two")
    func type() {
        #expect(GATTWriteType(for: .write) == .withResponse)
        #expect(GATTWriteType(for: .writeWithoutResponse) == .withoutResponse)
        #expect(GATTWriteType(for: [.write, .writeWithoutResponse]) == .withoutResponse)
        #expect(GATTWriteType(for: [.read, .notify]) == nil)
    }

    @Test("A value that is too long, or cannot be written, is refused before it is sent")
    func refused() async throws {
        let (connection, found) = try await connect(makeRadio(.sink))
        let input = try #require(found.first { $0.uuid == TestDevice.input })
        let readable = try #require(found.first { $0.uuid == TestDevice.readable })
        let longest = connection.maximumWriteBytes(for: .withoutResponse)
        #expect(longest == (connection.parameters.attMTU ?? 0) - 3)
        await #expect(throws: BluetoothError.attribute(.invalidAttributeValueLength)) {
            try await connection.send(
                [UInt8](repeating: 0, count: longest + 1), to: input, until: .seconds(30))
        }
        await #expect(throws: BluetoothError.attribute(.writeNotPermitted)) {
            try await connection.send([1], to: readable, until: .seconds(30))
        }
    }

    @Test("While the stack is full a write waits, and all of them arrive")
    func full() async throws {
        let radio = makeRadio(.sink)
        let (connection, found) = try await connect(radio)
        let input = try #require(found.first { $0.uuid == TestDevice.input })
        for value in 0..<100 {
            try await connection.send([UInt8(value)], to: input, until: .seconds(60))
        }
        await #expect(throws: BluetoothError.timedOut("writing a value")) {
            // Full again, and no time at all.
            while true { try await connection.send([0], to: input, until: connection.now) }
        }
    }

    @Test("A subscription is confirmed before its values are read, and given back in the end")
    func subscription() async throws {
        let radio = makeRadio(.source(bytes: 2_000))
        let (connection, found) = try await connect(radio)
        let output = try #require(found.first { $0.uuid == TestDevice.output })
        let input = try #require(found.first { $0.uuid == TestDevice.input })
        let got = try await connection.withNotifications(of: output, until: .seconds(30)) {
            (values) throws(BluetoothError) in
            #expect(Self.isOn(radio))
            var got: [UInt8] = []
            for try await value in values {
                got += value
                if got.count >= 2_000 { break }
            }
            return got
        }
        #expect(got == pattern(0..<2_000))
        #expect(!Self.isOn(radio))
        await #expect(throws: BluetoothError.attribute(.requestNotSupported)) {
            try await connection.withNotifications(of: input, until: .seconds(30)) {
                (_) throws(BluetoothError) in
            }
        }
    }

    @Test("A subscription is given back by a task that is canceled, too")
    func canceled() async throws {
        let radio = makeRadio(.sink)
        let (connection, found) = try await connect(radio)
        let output = try #require(found.first { $0.uuid == TestDevice.output })
        let task = Task {
            try await connection.withNotifications(of: output, until: .seconds(30)) {
                (values) throws(BluetoothError) in
                withUnsafeCurrentTask { $0?.cancel() }
                for try await _ in values {}
            }
        }
        await #expect(throws: BluetoothError.canceled) { try await task.value }
        #expect(!Self.isOn(radio))
    }

    /// Whether the device knows of the subscription now.
    private static func isOn(_ radio: SimulatedRadio) -> Bool {
        radio.withWorld { world in
            let device = world.application(of: testPeer) as? TestDevice
            let changes = (device?.events ?? []).compactMap { event in
                if case .notificationsChanged(let isOn, _, _) = event { isOn } else { nil }
            }
            return changes.last ?? false
        }
    }
}

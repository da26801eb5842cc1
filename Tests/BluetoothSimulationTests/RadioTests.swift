import Bluetooth
import BluetoothSimulation
import Synchronization
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
            try await connection.secure(.encrypted, answering: nil, until: .seconds(20))
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

    @Test("A deadline passes on the world's clock, and costs no time of ours")
    func deadline() async throws {
        let radio = makeRadio(.sink)
        let connection = try await radio.central.connect(to: testPeer, until: .seconds(10))
        let channel = try await connection.openChannel(
            testPSM, receiveMTU: 1_000, until: .seconds(20))
        let deadline = LinkInstant.seconds(3_600)
        #expect(
            try await channel.waitUntilReady(for: .reading, until: deadline) == .deadlinePassed)
        #expect(channel.now == deadline)
        #expect(radio.linkMicroseconds == 3_600_000_000)
        try await radio.central.sleep(until: .seconds(7_200))
        #expect(radio.linkMicroseconds == 7_200_000_000)
    }

    @Test("An operation that does not end in time says which one it was")
    func timeout() async throws {
        let radio = makeRadio(.sink)
        await #expect(throws: BluetoothError.peerNotFound(PeerID("nobody"))) {
            try await radio.central.connect(to: PeerID("nobody"), until: .seconds(1))
        }
        let connection = try await radio.central.connect(to: testPeer, until: .seconds(10))
        radio.withWorld { $0.vanish(testPeer, forMicroseconds: 2_000_000) }
        await #expect(throws: BluetoothError.timedOut("discovering services")) {
            try await connection.discoverServices(
                TestDevice.service, until: connection.now.advanced(microseconds: 500_000))
        }
    }

    @Test(
        "A wait on the wall's clock ends as soon as its task is canceled",
        .timeLimit(.minutes(1)))
    func cancelRealtime() async throws {
        let radio = makeRadio(.sink, pace: .realtime)
        let task = Task {
            try await radio.central.sleep(until: .seconds(3_600))
        }
        await Task.yield()
        task.cancel()
        await #expect(throws: BluetoothError.canceled) { try await task.value }
    }

    @Test("Cancelling a connection attempt takes it back", .timeLimit(.minutes(1)))
    func cancelConnecting() async throws {
        let radio = makeRadio(.sink)
        let task = Task {
            // Nobody can wait that long: a million years.
            try await radio.central.connect(
                to: PeerID("nobody"), until: LinkInstant(microseconds: .max / 2))
        }
        await Task.yield()
        task.cancel()
        await #expect(throws: BluetoothError.canceled) { _ = try await task.value }
        _ = try await radio.central.connect(
            to: testPeer, until: radio.now.advanced(microseconds: 10_000_000))
    }

    @Test("On the wall's clock the world never runs ahead")
    func realtime() async throws {
        let start = ContinuousClock.now
        let radio = makeRadio(.sink, pace: .realtime)
        let connection = try await radio.central.connect(to: testPeer, until: .seconds(30))
        let inWorld = Duration.microseconds(Int64(connection.now.microseconds))
        #expect(inWorld <= ContinuousClock.now - start)
        #expect(inWorld >= .milliseconds(160), "an advertisement and three intervals")
    }

    @Test("Two tasks wait on one world, each gets all of its own", .timeLimit(.minutes(1)))
    func twoTasks() async throws {
        let world = SimulatedWorld(seed: 3)
        for name in ["one", "two"] {
            world.addDevice(
                DeviceConfiguration(peer: PeerID(name)), application: TestDevice(.echo))
        }
        let radio = SimulatedRadio(world: world)
        try await withThrowingTaskGroup(of: Int.self) { group in
            for name in ["one", "two"] {
                group.addTask { try await roundTrip(radio, PeerID(name), bytes: 50_000) }
            }
            for try await count in group { #expect(count == 50_000) }
        }
    }

    @Test(
        "One task may wait for reading and another for writing on one channel",
        .timeLimit(.minutes(1)))
    func readerAndWriter() async throws {
        let radio = makeRadio(.echo)
        let connection = try await radio.central.connect(to: testPeer, until: .seconds(10))
        let channel = try await connection.openChannel(
            testPSM, receiveMTU: 65_535, until: .seconds(20))
        async let writing: Void = {
            var sent = 0
            let bytes = pattern(0..<40_000)
            while sent < bytes.count {
                sent += try bytes[sent...].withUnsafeBytes { try channel.write($0) }
                _ = try await channel.waitUntilReady(for: .writing, until: .seconds(1_000))
            }
        }()
        var got: [UInt8] = []
        while got.count < 40_000 {
            guard
                try await channel.waitUntilReady(for: .reading, until: .seconds(1_000)) == .ready
            else { break }
            _ = try channel.read(into: &got, maximumBytes: .max)
        }
        try await writing
        #expect(got == pattern(0..<40_000))
    }

    @Test("A scan hands out each advertiser once, filtered, and stops when it is told to")
    func scan() async throws {
        let radio = makeRadio(.sink)
        var filter = ScanFilter()
        filter.service = TestDevice.service
        var heard: [Advertisement] = []
        for try await found in radio.central.advertisements(filter, until: .seconds(2)) {
            heard.append(found)
        }
        #expect(heard.map(\.peer) == [testPeer])
        #expect(heard.first?.localName == "test")
        #expect(radio.now == .seconds(2))
        for try await _ in radio.central.advertisements(ScanFilter(), until: .seconds(60)) { break }
        #expect(radio.now < .seconds(3))
        filter.name = .exactly("other")
        for try await _ in radio.central.advertisements(filter, until: .seconds(4)) {
            Issue.record("nobody has that name")
        }
    }

    @Test("Values go and come through the async layer")
    func attributes() async throws {
        let radio = makeRadio(.source(bytes: 2_000))
        let connection = try await radio.central.connect(to: testPeer, until: .seconds(10))
        let end = LinkInstant.seconds(100)
        let services = try await connection.discoverServices(TestDevice.service, until: end)
        let found = try await connection.discoverCharacteristics(
            of: try #require(services.first), until: end)
        let input = try #require(found.first { $0.uuid == TestDevice.input })
        let output = try #require(found.first { $0.uuid == TestDevice.output })
        let readable = try #require(found.first { $0.uuid == TestDevice.readable })
        #expect(try await connection.readValue(of: readable, until: end) == [1, 2, 3])
        try await connection.write([7], to: input, until: end)
        #expect(try connection.writeWithoutResponse([8], to: input))
        try await connection.setNotifications(true, of: output, until: end)
        var got: [UInt8] = []
        while got.count < 2_000 {
            #expect(try await connection.waitUntilReady(for: .reading, until: end) == .ready)
            while let value = try connection.nextNotification(of: output) { got += value }
        }
        #expect(got == pattern(0..<2_000))
        let values = radio.withWorld { ($0.application(of: testPeer) as? TestDevice)?.values }
        #expect(values == [[7], [8]])
        await connection.disconnect()
        #expect(throws: BluetoothError.linkLost(.localTerminated)) {
            try connection.writeWithoutResponse([9], to: input)
        }
    }
}

/// Sends bytes to an echo and takes them back; returns how many came back right.
private func roundTrip(_ radio: SimulatedRadio, _ peer: PeerID, bytes: Int) async throws -> Int {
    let end = LinkInstant.seconds(10_000)
    let connection = try await radio.central.connect(to: peer, until: end)
    let channel = try await connection.openChannel(testPSM, receiveMTU: 65_535, until: end)
    let sent = pattern(0..<bytes)
    var offset = 0
    var got: [UInt8] = []
    while got.count < bytes {
        offset += try sent[offset...].withUnsafeBytes { try channel.write($0) }
        let interest: Interest = offset < bytes ? [.reading, .writing] : .reading
        guard try await channel.waitUntilReady(for: interest, until: end) == .ready else { break }
        _ = try channel.read(into: &got, maximumBytes: .max)
    }
    await connection.disconnect()
    return got == sent ? got.count : -1
}

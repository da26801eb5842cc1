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
        #expect(radio.waiterCount == 0)
    }

    @Test(
        "Ten thousand attempts that come to something, to nothing or are canceled leave nothing",
        .timeLimit(.minutes(2)))
    func canceled() async throws {
        let world = SimulatedWorld(seed: 3)
        for number in 0..<8 {
            world.addDevice(
                DeviceConfiguration(peer: PeerID("\(number)")), application: TestDevice(.echo))
        }
        let radio = SimulatedRadio(world: world)
        var chance = RandomStream(seed: 1, purpose: .packetLoss, number: 0)
        for _ in 0..<500 {
            var tasks: [(task: Task<Void, any Error>, patience: UInt64)] = []
            for _ in 0..<20 {
                let (what, whom) = (chance.next(below: 5), chance.next(below: 10))
                let task = Task { try await attempt(what, PeerID("\(whom)"), radio) }
                tasks.append((task, chance.next(below: 40)))
            }
            for yields in UInt64(0)..<40 {
                for (task, patience) in tasks where patience == yields { task.cancel() }
                await Task.yield()
            }
            for (task, _) in tasks { _ = await task.result }
        }
        #expect(radio.waiterCount == 0)
        radio.withWorld { $0.run(until: $0.after(seconds: 60)) }
        #expect(radio.withWorld { $0.holdings } == Holdings(devices: 8))
    }

    @Test(
        "A task may be canceled by whoever holds the world, leader or not", .timeLimit(.minutes(1)))
    func canceledFromWithin() async throws {
        let radio = makeRadio(.sink)
        let tasks = (0..<3).map { number in
            Task { try await radio.central.sleep(until: .seconds(1e9 + Double(number))) }
        }
        while radio.waiterCount < 3 { await Task.yield() }
        radio.withWorld { _ in tasks.forEach { $0.cancel() } }
        for task in tasks {
            await #expect(throws: BluetoothError.canceled) { try await task.value }
        }
        #expect(radio.waiterCount == 0)
    }

    @Test("For those who only look on the world stands still", .timeLimit(.minutes(1)))
    func standsStill() async throws {
        let radio = makeRadio(.sink)
        let connection = try await radio.central.connect(to: testPeer, until: .seconds(10))
        let watch = Task { try await connection.waitUntilLost() }
        while radio.waiterCount == 0 { await Task.yield() }
        let start = radio.now
        for _ in 0..<1_000 { await Task.yield() }
        #expect(radio.now == start)
        try await radio.central.sleep(until: .seconds(20))
        #expect(radio.now == .seconds(20))
        // What happens without time passing is told all the same.
        radio.withWorld { $0.severLinks(to: testPeer) }
        #expect(try await watch.value == .supervisionTimeout)
        #expect(radio.now == .seconds(20))
    }

    @Test("Whoever looks on learns of the adapter, and can be canceled", .timeLimit(.minutes(1)))
    func adapter() async throws {
        let radio = makeRadio(.sink)
        radio.withWorld { $0.setAdapterPowered(false) }
        let patient = Task { try await radio.central.waitUntilPowered(until: .distantFuture) }
        let canceled = Task { try await radio.central.waitUntilPowered(until: .distantFuture) }
        while radio.waiterCount < 2 { await Task.yield() }
        canceled.cancel()
        await #expect(throws: BluetoothError.canceled) { try await canceled.value }
        await #expect(throws: BluetoothError.poweredOff) {
            try await radio.central.waitUntilPowered(until: .seconds(1))
        }
        radio.withWorld { $0.setAdapterPowered(true) }
        try await patient.value
        #expect(radio.waiterCount == 0)
    }

    @Test("Each deadline passes at its moment, whoever leads")
    func deadlines() {
        let world = SimulatedWorld(seed: 1)
        world.addDevice(DeviceConfiguration(peer: testPeer), application: TestDevice(.sink))
        var state = SimulatedRadio.State(world: world, waiters: Waiters(passiveMayLead: false))
        var tickets: [UInt64] = []
        for (task, second) in [5.0, 1, 3, 2, 4].enumerated() {
            tickets.append(
                state.waiters.enroll(
                    .never, until: .seconds(second), link: nil, task: task, sleeper: Sleeper()))
        }
        var moments: [LinkInstant] = []
        var patience = Patience()
        while let leader = tickets.first(where: { state.waiters.isLeader($0) }) {
            _ = state.drive(for: leader, &patience)
            for ticket in tickets where state.waiters.verdict(of: ticket) != nil {
                moments.append(world.now)
                state.waiters.leave(ticket)
            }
        }
        #expect(moments == [1, 2, 3, 4, 5].map(LinkInstant.seconds))
    }
}

/// One of the things that a task may be in the middle of when it is canceled.
private func attempt(_ what: UInt64, _ peer: PeerID, _ radio: SimulatedRadio) async throws {
    let end = radio.now.advanced(microseconds: 2_000_000)
    if what == 0 {
        for try await _ in radio.central.advertisements(ScanFilter(), until: end) where what > 0 {}
        return
    }
    let connection = try await radio.central.connect(to: peer, until: end)
    do {
        if what > 1 { try await connection.secure(.encrypted, answering: nil, until: end) }
        if what > 2 {
            let channel = try await connection.openChannel(testPSM, receiveMTU: 500, until: end)
            _ = try await channel.waitUntilReady(for: .reading, until: end)
            channel.close()
        }
        if what > 3 { _ = try await connection.waitUntilLost() }
    } catch {
        await connection.disconnect()
        throw error
    }
    await connection.disconnect()
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

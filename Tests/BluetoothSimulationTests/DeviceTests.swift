import Bluetooth
import Testing

@testable import BluetoothSimulation

@Suite("What a device does of its own accord")
struct DeviceTests {
    private func order(_ order: UInt8, _ bench: Bench) throws {
        let input = try bench.characteristic(TestDevice.input)
        #expect(try bench.world.writeWithoutResponse([order], to: input, on: bench.link))
    }

    @Test("It ends the link, and the central learns who did")
    func disconnects() throws {
        let bench = try Bench(.obedient)
        try order(1, bench)
        bench.world.run(until: bench.world.after(seconds: 0.2))
        #expect(bench.world.lossReason(of: bench.link) == .remoteTerminated)
        #expect(bench.device.events.last == .disconnected(bench.link))
    }

    @Test("It closes a channel, and the link stands")
    func closes() throws {
        let bench = try Bench(.obedient)
        let channel = try bench.open()
        try order(4, bench)
        bench.world.run(until: bench.world.after(seconds: 0.2))
        var got: [UInt8] = []
        #expect(throws: BluetoothError.channelClosed) {
            try bench.world.read(from: channel, into: &got, maximumBytes: 1)
        }
        #expect(bench.world.lossReason(of: bench.link) == nil)
        #expect(!bench.device.events.contains(.channelClosed(channel)))
        _ = try bench.open()
    }

    @Test("It restarts, and comes back after the time without power as if nothing had been")
    func restarts() throws {
        let bench = try Bench(.obedient)
        try order(2, bench)
        bench.world.run(until: bench.world.after(seconds: 0.1))
        #expect(bench.device.events.filter { $0 == .poweredOn }.count == 1)
        bench.world.run(until: bench.world.after(seconds: 0.4))
        #expect(bench.device.events.last == .poweredOn)
        bench.world.run(until: bench.world.after(seconds: 4))
        #expect(bench.world.lossReason(of: bench.link) == .supervisionTimeout)
        let again = try bench.world.connect(to: testPeer, until: bench.world.after(seconds: 1))
        let found = try bench.world.discover(
            TestDevice.service, on: again, until: bench.world.after(seconds: 1))
        #expect(found.count == 3)
    }

    @Test("It is woken at the moment that it asked for last, and once")
    func wakes() throws {
        let bench = try Bench(.obedient)
        try order(3, bench)
        bench.world.run(until: bench.world.after(seconds: 0.5))
        try order(3, bench)
        bench.world.run(until: bench.world.after(seconds: 0.2))
        #expect(bench.device.wokeAt == nil)
        let asked = bench.device.receivedAt
        bench.world.run(until: bench.world.after(seconds: 3))
        #expect(bench.device.wokeAt == asked.advanced(microseconds: 1_000_000))
        #expect(bench.device.events.filter { $0 == .woke }.count == 1)
    }

    @Test("Putting a wake-up off a thousand times leaves one event in the queue, not a thousand")
    func putsOffWake() throws {
        let bench = try Bench(.obedient)
        let world = bench.world
        var stack = DeviceStack(world: world, device: try #require(world.devices[0]))
        stack.wake(at: world.after(seconds: 1))
        let count = world.queue.count
        for step in 0..<1000 { stack.wake(at: world.after(seconds: 1 + Double(step) / 1000)) }
        #expect(world.queue.count == count)
        let due = world.after(seconds: 1.999)
        // An earlier moment than the one before counts as well, and so does one behind it again.
        stack.wake(at: world.after(seconds: 0.5))
        stack.wake(at: due)
        world.run(until: world.after(seconds: 3))
        #expect(bench.device.wokeAt == due)
        #expect(bench.device.events.filter { $0 == .woke }.count == 1)
    }

    @Test("A connection attempt that comes to nothing leaves no link behind")
    func abandonedAttempt() throws {
        let world = SimulatedWorld(seed: 1)
        let device = TestDevice(.sink)
        world.addDevice(DeviceConfiguration(peer: testPeer), application: device)
        // Long enough for the first connection event, too short for the MTU's answer.
        let heard = world.run(until: .seconds(1)) { device.events.count > 0 }
        #expect(heard)
        #expect(throws: BluetoothError.timedOut("connecting")) {
            try world.connect(to: testPeer, until: .seconds(0.145))
        }
        world.run(until: .seconds(1))
        #expect(device.events.contains { if case .disconnected = $0 { true } else { false } })
        _ = try world.connect(to: testPeer, until: .seconds(2))
    }
}

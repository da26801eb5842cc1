import Bluetooth
import BluetoothSimulation
import Testing

@Suite("Security")
struct SecurityTests {
    private func secure(_ bench: Bench, _ level: SecurityLevel) throws {
        try bench.world.secure(bench.link, at: level, until: bench.world.after(seconds: 10))
    }

    @Test("Just Works encrypts, and both sides keep the keys for the next link")
    func justWorks() throws {
        let bench = try Bench()
        #expect(bench.world.parameters(of: bench.link).isEncrypted == false)
        var start = bench.world.now
        try secure(bench, .encrypted)
        let pairing = bench.world.now.microseconds(since: start)
        #expect(bench.world.parameters(of: bench.link).isEncrypted == true)
        #expect(bench.world.bonds == SimulatedBonds(central: [testPeer], devices: [testPeer]))
        bench.world.disconnect(bench.link, until: bench.world.after(seconds: 1))
        let again = try bench.world.connect(to: testPeer, until: bench.world.after(seconds: 5))
        #expect(bench.world.security(of: again) == .none)
        start = bench.world.now
        try bench.world.secure(again, at: .encrypted, until: bench.world.after(seconds: 5))
        #expect(bench.world.now.microseconds(since: start) < pairing)
    }

    @Test(
        "A level beyond the device's means is refused, never lowered",
        arguments: [SecurityLevel.authenticated, .fips])
    func beyondMeans(level: SecurityLevel) throws {
        let bench = try Bench()
        let error = #expect(throws: BluetoothError.self) { try secure(bench, level) }
        guard case .securityNotReached(let wanted, _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(wanted == level)
        #expect(bench.world.security(of: bench.link) == .none)
    }

    @Test("Keys that one side has lost are an error until the other forgets them too")
    func lostBond() throws {
        let bench = try Bench()
        bench.world.bonds = SimulatedBonds(central: [testPeer], devices: [])
        #expect(throws: BluetoothError.pairingRemoved(by: .peer)) {
            try secure(bench, .encrypted)
        }
        #expect(bench.world.security(of: bench.link) == .none)
        bench.world.bonds = SimulatedBonds()
        try secure(bench, .encrypted)
    }

    @Test("A device may refuse a second pairing while it still has keys")
    func secondPairing() throws {
        let strict = try Bench { configuration, _ in configuration.acceptsNewBond = false }
        strict.world.bonds = SimulatedBonds(central: [], devices: [testPeer])
        #expect(throws: BluetoothError.pairingRemoved(by: .local)) {
            try secure(strict, .encrypted)
        }
        let usual = try Bench()
        usual.world.bonds = SimulatedBonds(central: [], devices: [testPeer])
        try secure(usual, .encrypted)
    }

    @Test("Bonds that were handed in hold for devices that come later")
    func handedIn() throws {
        let world = SimulatedWorld(seed: 1)
        let bonds = SimulatedBonds(central: [testPeer], devices: [testPeer, PeerID("other")])
        world.bonds = bonds
        world.addDevice(DeviceConfiguration(peer: testPeer), application: TestDevice(.sink))
        #expect(world.bonds == bonds)
    }

    @Test(
        "A channel that wants more than the link has is refused with the reason",
        arguments: [
            (SecurityLevel.encrypted, ChannelRefusal.insufficientEncryption),
            (.authenticated, .insufficientAuthentication),
        ])
    func channel(level: SecurityLevel, refusal: ChannelRefusal) throws {
        let bench = try Bench { configuration, device in
            device.security = level
            configuration.pairingCapability = .displayYesNo
        }
        #expect(throws: BluetoothError.channelRefused(refusal)) { try bench.open() }
        try bench.world.secure(
            bench.link, at: level, answeredBy: .displayYesNo, until: bench.world.after(seconds: 10)
        ) { _ in .accept }
        _ = try bench.open()
    }

    @Test("A PSM that nobody listens on, or a stack without channels, is refused")
    func noChannel() throws {
        let bench = try Bench()
        let other = try #require(PSM(0x0081))
        #expect(throws: BluetoothError.channelRefused(.psmNotSupported)) {
            try bench.world.openChannel(
                other, on: bench.link, receiveMTU: 100, until: bench.world.after(seconds: 1))
        }
        let without = try Bench { configuration, _ in configuration.hasChannels = false }
        #expect(throws: BluetoothError.channelRefused(.psmNotSupported)) { try without.open() }
        let few = try Bench { configuration, _ in configuration.maximumChannels = 1 }
        _ = try few.open()
        #expect(throws: BluetoothError.channelRefused(.noResources)) { try few.open() }
    }

    @Test("An attribute that wants encryption says which step is missing")
    func attributes() throws {
        let bench = try Bench { _, device in device.characteristicSecurity = .encrypted }
        let readable = try bench.characteristic(TestDevice.readable)
        let input = try bench.characteristic(TestDevice.input)
        func read() throws -> [UInt8] {
            try bench.world.readValue(
                of: readable, on: bench.link, until: bench.world.after(seconds: 1))
        }
        #expect(throws: BluetoothError.attribute(.insufficientAuthentication)) { try read() }
        bench.world.bonds = SimulatedBonds(central: [testPeer], devices: [testPeer])
        #expect(throws: BluetoothError.attribute(.insufficientEncryption)) { try read() }
        #expect(try bench.world.writeWithoutResponse([9], to: input, on: bench.link))
        try secure(bench, .encrypted)
        #expect(try read() == [1, 2, 3])
        #expect(bench.device.values.isEmpty, "a command before that is dropped")
    }
}

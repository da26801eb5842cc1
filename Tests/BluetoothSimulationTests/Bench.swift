import Bluetooth
import BluetoothSimulation

/// A world with one device and a link to it, driven by hand.
struct Bench {
    let world: SimulatedWorld
    let device: TestDevice
    let link: ConnectionID

    init(
        _ role: TestDevice.Role = .sink, seed: UInt64 = 1, isEncrypted: Bool = false,
        _ adjust: (inout DeviceConfiguration, TestDevice) -> Void = { _, _ in }
    ) throws {
        world = SimulatedWorld(seed: seed)
        device = TestDevice(role)
        var configuration = DeviceConfiguration(peer: testPeer)
        adjust(&configuration, device)
        world.addDevice(configuration, application: device)
        link = try world.connect(to: testPeer, until: .seconds(1000))
        if isEncrypted { try world.secure(link, at: .encrypted, until: .seconds(2000)) }
    }

    func open(receiveMTU: Int = 65_535) throws -> ChannelID {
        try world.openChannel(
            testPSM, on: link, receiveMTU: receiveMTU, until: world.after(seconds: 1000))
    }

    func characteristic(_ uuid: BluetoothUUID) throws -> GATTCharacteristic {
        let found = try world.discover(
            TestDevice.service, on: link, until: world.after(seconds: 1000))
        guard let one = found.first(where: { $0.uuid == uuid }) else {
            throw BluetoothError.noSuchAttribute(uuid)
        }
        return one
    }

    /// Hands over as much as the channel takes; the pattern goes on from `sent`.
    func fill(_ channel: ChannelID, _ sent: inout Int, upTo total: Int = .max) throws {
        let piece = world.efficientWriteBytes(of: channel)
        while sent < total, world.isReady(channel, for: .writing) {
            let wanted = min(piece, total - sent)
            let bytes = pattern(sent..<sent + wanted)
            let taken = try bytes.withUnsafeBytes { try world.write($0, to: channel) }
            sent += taken
            if taken < wanted { return }
        }
    }

    /// The device's rate in kbit/s, by its own clock, over `bytes` bytes after `warmUp` bytes,
    /// while `refill` keeps the central's queue from running dry.
    func rate(warmUp: Int, bytes: Int, _ refill: () throws -> Void) throws -> Double {
        var from: (count: Int, at: LinkInstant)?
        while true {
            try refill()
            world.step()
            let count = device.receivedCount
            guard count >= warmUp else { continue }
            guard let start = from else {
                from = (count, device.receivedAt)
                continue
            }
            if count - start.count >= bytes {
                let passed = device.receivedAt.microseconds(since: start.at)
                return Double(count - start.count) * 8000 / Double(passed)
            }
        }
    }

    func channelRate(warmUp: Int = 40_000, bytes: Int = 400_000) throws -> Double {
        let channel = try open()
        let piece = pattern(0..<world.efficientWriteBytes(of: channel))
        return try rate(warmUp: warmUp, bytes: bytes) {
            while try piece.withUnsafeBytes({ try world.write($0, to: channel) }) > 0 {}
        }
    }

    func attributeRate(valueBytes: Int, warmUp: Int, bytes: Int) throws -> Double {
        let input = try characteristic(TestDevice.input)
        let value = pattern(0..<valueBytes)
        return try rate(warmUp: warmUp, bytes: bytes) {
            while try world.writeWithoutResponse(value, to: input, on: link) {}
        }
    }
}

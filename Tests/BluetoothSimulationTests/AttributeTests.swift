import Bluetooth
import BluetoothSimulation
import Testing

@Suite("Attributes")
struct AttributeTests {
    @Test("The MTU is the smaller one of the two sides", arguments: [23, 185, 247, 498, 517])
    func mtu(mtu: Int) throws {
        let bench = try Bench { configuration, _ in configuration.attMTU = mtu }
        #expect(bench.world.parameters(of: bench.link).attMTU == mtu)
    }

    @Test("A value has one length that fits, and one byte more is refused", arguments: 23...517)
    func valueLengths(mtu: Int) throws {
        let bench = try Bench { configuration, _ in
            configuration.attMTU = mtu
            configuration.link = .unlimited
        }
        let input = try bench.characteristic(TestDevice.input)
        let longest = min(mtu - 3, 512)
        let value = pattern(0..<longest)
        let deadline = bench.world.after(seconds: 1)
        #expect(try bench.world.writeWithoutResponse(value, to: input, on: bench.link))
        try bench.world.write(value, to: input, on: bench.link, until: deadline)
        #expect(bench.device.values == [value, value])
        let tooLong = pattern(0..<longest + 1)
        #expect(throws: BluetoothError.attribute(.invalidAttributeValueLength)) {
            try bench.world.write(tooLong, to: input, on: bench.link, until: deadline)
        }
        #expect(throws: BluetoothError.attribute(.invalidAttributeValueLength)) {
            try bench.world.writeWithoutResponse(tooLong, to: input, on: bench.link)
        }
    }

    @Test("A long value is read whole, in as many pieces as it takes", arguments: [23, 247, 517])
    func longRead(mtu: Int) throws {
        for length in [0, 21, 22, 23, 44, 246, 247, 511, 512] {
            let bench = try Bench { configuration, device in
                configuration.attMTU = mtu
                device.value = pattern(0..<length)
            }
            let readable = try bench.characteristic(TestDevice.readable)
            let value = try bench.world.readValue(
                of: readable, on: bench.link, until: bench.world.after(seconds: 10))
            #expect(value == pattern(0..<length))
        }
    }

    @Test("Discovery finds all characteristics with their properties, and takes its round trips")
    func discovery() throws {
        let bench = try Bench { configuration, _ in configuration.attMTU = 23 }
        let start = bench.world.now
        let found = try bench.world.discover(
            TestDevice.service, on: bench.link, until: bench.world.after(seconds: 10))
        #expect(found.map(\.uuid) == [TestDevice.input, TestDevice.output, TestDevice.readable])
        #expect(found.map(\.properties) == [[.write, .writeWithoutResponse], [.notify], [.read]])
        // At MTU 23 a response holds one declaration of 21 bytes, so: the service, three
        // declarations, their end, and one client configuration: six round trips, each of two
        // intervals of 30 ms.
        let passed = bench.world.now.microseconds(since: start)
        #expect((355_000...365_000).contains(passed), "\(passed)")
        let missing = BluetoothUUID(0x1234)
        #expect(throws: BluetoothError.noSuchService(missing)) {
            try bench.world.discover(
                missing, on: bench.link, until: bench.world.after(seconds: 10))
        }
    }

    @Test("Writes without response queue up to a bound, and go on when there is room")
    func backPressure() throws {
        let bench = try Bench { configuration, _ in configuration.link.attributeQueueDepth = 5 }
        let input = try bench.characteristic(TestDevice.input)
        var taken = 0
        while try bench.world.writeWithoutResponse([UInt8(taken)], to: input, on: bench.link) {
            taken += 1
        }
        #expect(taken == 5)
        #expect(!bench.world.isReady(bench.link, for: .writing))
        let ready = bench.world.run(until: bench.world.after(seconds: 1)) {
            bench.world.isReady(bench.link, for: .writing)
        }
        #expect(ready)
        bench.world.run(until: bench.world.after(seconds: 1))
        #expect(bench.device.values == [[0], [1], [2], [3], [4]])
    }

    @Test("Notifications arrive complete and in order, at every loss rate", arguments: [0, 0.1])
    func notifications(loss: Double) throws {
        let bench = try Bench(.source(bytes: 30_000)) { configuration, device in
            configuration.link.packetLossProbability = loss
            device.notificationBytes = 244
        }
        let output = try bench.characteristic(TestDevice.output)
        try bench.world.setNotifications(
            true, of: output, on: bench.link, until: bench.world.after(seconds: 5))
        var got: [UInt8] = []
        while got.count < 30_000 {
            let ready = bench.world.run(until: bench.world.after(seconds: 5)) {
                bench.world.isReady(bench.link, for: .reading)
            }
            try #require(ready)
            while let value = try bench.world.nextNotification(of: output, on: bench.link) {
                got += value
            }
        }
        #expect(got == pattern(0..<30_000))
        #expect(bench.world.statistics(of: bench.link).lostNotifications == 0)
    }

    @Test("Nothing is notified to a central that did not ask, or that took it back")
    func unsubscribed() throws {
        let bench = try Bench(.source(bytes: 100))
        let output = try bench.characteristic(TestDevice.output)
        bench.world.run(until: bench.world.after(seconds: 1))
        #expect(try bench.world.nextNotification(of: output, on: bench.link) == nil)
        for isOn in [true, false] {
            try bench.world.setNotifications(
                isOn, of: output, on: bench.link, until: bench.world.after(seconds: 1))
        }
        let changes = bench.device.events.compactMap { event -> Bool? in
            if case .notificationsChanged(let isOn, _, _) = event { isOn } else { nil }
        }
        #expect(changes == [true, false])
    }

    @Test("What a central does not read is lost beyond a bound, and counted")
    func notificationOverflow() throws {
        let bench = try Bench(.source(bytes: 2_000)) { configuration, _ in
            configuration.link.centralNotificationLimit = 60
        }
        let output = try bench.characteristic(TestDevice.output)
        try bench.world.setNotifications(
            true, of: output, on: bench.link, until: bench.world.after(seconds: 1))
        bench.world.run(until: bench.world.after(seconds: 5))
        #expect(bench.world.statistics(of: bench.link).lostNotifications == 40)
    }

    @Test("A characteristic allows what it declares, and no more")
    func properties() throws {
        let bench = try Bench()
        let input = try bench.characteristic(TestDevice.input)
        let readable = try bench.characteristic(TestDevice.readable)
        let deadline = bench.world.after(seconds: 5)
        #expect(throws: BluetoothError.attribute(.readNotPermitted)) {
            try bench.world.readValue(of: input, on: bench.link, until: deadline)
        }
        #expect(throws: BluetoothError.attribute(.writeNotPermitted)) {
            try bench.world.write([1], to: readable, on: bench.link, until: deadline)
        }
        let nothing = GATTCharacteristic(uuid: TestDevice.input, handle: 999, properties: [.read])
        #expect(throws: BluetoothError.attribute(.invalidHandle)) {
            try bench.world.readValue(of: nothing, on: bench.link, until: deadline)
        }
    }
}

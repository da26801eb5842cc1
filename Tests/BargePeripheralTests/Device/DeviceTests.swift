import BargePeripheral
import BargeProtocol
import Bluetooth
import Testing

@Suite("The device half, played by hand")
struct DeviceTests {
    private func uuid(_ identifier: ServiceIdentifier) -> BluetoothUUID {
        BluetoothUUID(high: identifier.high, low: identifier.low)
    }

    @Test("BTP-001, BTP-003: it advertises the service and demands encryption where it must")
    func service() throws {
        let rig = try DeviceRig()
        #expect(rig.stack.advertised.first?.serviceUUIDs == [uuid(.service)])
        let service = try #require(rig.stack.published.first)
        #expect(service.uuid == uuid(.service))
        let security = Dictionary(
            uniqueKeysWithValues: service.characteristics.map { ($0.uuid, $0.security) })
        #expect(security[PSM.characteristic] == SecurityLevel.none)
        #expect(security[uuid(.upload)] == .encrypted)
        #expect(security[uuid(.download)] == .encrypted)
        #expect(rig.stack.listening.map(\.security) == [.encrypted])
    }

    @Test("A name that no advertisement holds is cut at a character's border, and nothing else is")
    func longName() throws {
        // 14 characters of two bytes are 28 bytes, and a 15th does not fit 29.
        let name = String(repeating: "é", count: 20)
        let profile = DeviceProfile(serial: "RIG", localName: name)
        let rig = try DeviceRig(profile: profile)
        let said = try #require(rig.stack.advertised.first)
        #expect(said.localName == String(repeating: "é", count: 14))
        _ = try AdvertisingPayload(said)
        #expect(profile.localName == name)
        #expect(DeviceProfile(serial: "RIG", localName: "rig").advertisedName == "rig")
    }

    @Test("BTP-002: the PSM's value is two bytes, little-endian; without CoC there is none")
    func publishedPSM() throws {
        var profile = DeviceProfile(serial: "RIG", localName: "rig")
        profile.psm = PSM(0x00A5)
        let rig = try DeviceRig(profile: profile)
        #expect(
            rig.device.value(of: PSM.characteristic, for: DeviceRig.connection)
                == .success([0xA5, 0x00]))
        profile.psm = nil
        let without = try DeviceRig(profile: profile)
        #expect(without.stack.listening.isEmpty)
        #expect(
            without.stack.published.first?.characteristics.map(\.uuid).contains(PSM.characteristic)
                == false)
    }

    @Test("BTP-011: while the flash is busy nothing is taken from the channel, and nothing is lost")
    func backPressure() throws {
        let rig = try DeviceRig(eraseMicroseconds: 500_000)
        try rig.openSession()
        let image = [UInt8](repeating: 7, count: 600)
        let request = WriteRequest(
            object: .firmware, length: 600, digest: DeviceRig.digest(image), restart: false)
        _ = try rig.ask(.write(request), tag: 1)
        rig.runsClock = false
        for start in [0, 256] {
            let header = BlockHeader(
                coding: .stored, offset: UInt64(start), rawBytes: 256, codedBytes: 256)
            rig.send(.block(header), tag: 1, payload: Array(image[start..<start + 256]))
        }
        #expect(!rig.stack.incoming.isEmpty, "the second block waits in the stack")
        #expect(try rig.answers().isEmpty)
        rig.runsClock = true
        rig.passTime()
        #expect(rig.stack.incoming.isEmpty)
        #expect(try rig.answers().last == .acknowledge(offset: 512))
    }

    @Test(
        "A flash that is done between two looks at the clock leaves nobody waiting for ever",
        arguments: UInt64(1)...60)
    func movingClock(microsecondsPerLook: UInt64) throws {
        let rig = try DeviceRig(eraseMicroseconds: 100)
        try rig.openSession()
        rig.stack.clock.microsecondsPerLook = microsecondsPerLook
        let image = (0..<1024).map { UInt8($0 % 253) }
        let answers = try rig.write(image, as: .firmware, tag: 1)
        #expect(answers.last.map(isCommitted) == true)
    }

    @Test("BTP-012: after FIN it answers FIN and leaves the closing to the host")
    func closing() throws {
        let rig = try DeviceRig()
        try rig.openSession()
        #expect(try rig.ask(.fin, tag: 0) == [.fin])
        #expect(rig.stack.closed.isEmpty)
    }

    @Test("BTP-019: notifications turned off close the GATT pipe; OPEN begins a new session")
    func attributePipe() throws {
        let rig = try DeviceRig()
        rig.device.handle(.connected(DeviceRig.connection), on: &rig.stack)
        let open: [UInt8] = [0x80, 1, 32, 0, 0, 0]
        func write(_ value: [UInt8]) {
            rig.device.handle(
                .valueWritten(
                    value, characteristic: uuid(.upload), connection: DeviceRig.connection),
                on: &rig.stack)
        }
        write(open)
        #expect(rig.stack.notified.first?.first == 0x81, "OPENED")
        let data = rig.stack.notified.dropFirst().flatMap { $0.dropFirst() }
        #expect(data.first == FrameType.hello.rawValue)
        rig.device.handle(
            .notificationsChanged(
                false, characteristic: uuid(.download), connection: DeviceRig.connection),
            on: &rig.stack)
        rig.stack.notified = []
        write([0x00, 1, 2, 3])
        #expect(rig.stack.notified.isEmpty, "a closed pipe takes no data")
        write(open)
        #expect(rig.stack.notified.first?.first == 0x81)
    }

    @Test("BTP-066: a file becomes visible at COMMITTED, and what had its name stays until then")
    func visibility() throws {
        let rig = try DeviceRig()
        try rig.openSession()
        let object = DeviceRig.file("a")
        let old = [UInt8](repeating: 1, count: 300)
        let new = [UInt8](repeating: 2, count: 300)
        _ = try rig.write(old, as: object, tag: 1)
        let request = WriteRequest(
            object: object, length: 300, digest: DeviceRig.digest(new), restart: false)
        _ = try rig.ask(.write(request), tag: 2)
        let header = BlockHeader(coding: .stored, offset: 0, rawBytes: 256, codedBytes: 256)
        rig.send(.block(header), tag: 2, payload: Array(new[..<256]))
        rig.send(.cancel, tag: 2)
        _ = try rig.answers()
        guard case .stated(let between) = try rig.ask(.stat(object), tag: 3).first else {
            Issue.record("no STATED")
            return
        }
        #expect(between.digest == DeviceRig.digest(old))
        let written = try rig.ask(.write(request), tag: 4)
        let first = Array(new[..<256])
        let check = CRC32.value(of: first.span.bytes)
        #expect(
            written
                == [.writeReady(WriteReady(isComplete: false, offset: 256, prefixCheck: check))])
    }

    @Test(
        "BTP-082: STAT, READ and REMOVE of what is not there are notFound",
        arguments: [
            Message.stat(DeviceRig.file("gone")), .remove(DeviceRig.file("gone")),
            .read(ReadRequest(object: DeviceRig.file("gone"), offset: 0, length: 1)),
        ])
    func notFound(request: Message) throws {
        let rig = try DeviceRig()
        try rig.openSession()
        guard case .error(let error) = try rig.ask(request, tag: 9).first else {
            Issue.record("no ERROR")
            return
        }
        #expect(error.code == .notFound)
        #expect(error.scope == .request)
    }

    @Test("A name that the device uses itself is refused with the reason (BTP-080)")
    func reservedName() throws {
        let rig = try DeviceRig()
        try rig.openSession()
        let request = WriteRequest(
            object: DeviceRig.file(FileName.reserved), length: 1, digest: Digest(),
            restart: false)
        guard case .error(let error)? = try rig.ask(.write(request), tag: 1).first else {
            Issue.record("it was not refused")
            return
        }
        #expect(error.code == .badName)
        let text = (0..<error.text.byteCount).map { error.text.byte(at: $0) }
        #expect(String(decoding: text, as: UTF8.self).contains("the device uses that itself"))
    }

    @Test("BTP-083: a source of seed 1 begins with the bytes that the formula gives")
    func source() throws {
        let rig = try DeviceRig()
        try rig.openSession()
        let object = ObjectReference(kind: .source, number: 1)
        rig.send(.read(ReadRequest(object: object, offset: 0, length: 8)), tag: 1)
        // Python: x=0x9E3779B9; twice x^=x<<13&M; x^=x>>17; x^=x<<5&M; print(struct.pack('<I',x))
        let expected: [UInt8] = [0x19, 0x46, 0x0C, 0x51, 0x3E, 0x55, 0x2E, 0xE0]
        let stream = rig.stack.outgoing
        let start = try #require(stream.firstIndex(of: expected[0]))
        #expect(start > 0)
        let found = stream.indices.contains {
            stream[$0...].starts(with: expected)
        }
        #expect(found)
    }

    @Test(
        "BTP-084: what the table does not give a kind is notSupported",
        arguments: [
            Message.read(ReadRequest(object: .firmware, offset: 0, length: 1)),
            .stat(.firmware), .remove(ObjectReference(kind: .sink)),
            .write(
                WriteRequest(
                    object: ObjectReference(kind: .source), length: 1, digest: Digest(),
                    restart: false)),
        ])
    func notSupported(request: Message) throws {
        let rig = try DeviceRig()
        try rig.openSession()
        guard case .error(let error) = try rig.ask(request, tag: 9).first else {
            Issue.record("no ERROR")
            return
        }
        #expect(error.code == .notSupported)
    }

    @Test("BTP-091, BTP-092, BTP-093: test, reset, confirm; and without confirming, the old image")
    func firmware() throws {
        let rig = try DeviceRig()
        try rig.openSession()
        let image = (0..<700).map { UInt8($0 % 251) }
        let digest = DeviceRig.digest(image)
        guard case .error(let early) = try rig.ask(.test(digest), tag: 1).first else {
            Issue.record("TEST of an image that is not there")
            return
        }
        #expect(early.code == .notFound)
        #expect(try rig.write(image, as: .firmware, tag: 2).last.map(isCommitted) == true)
        #expect(
            try running(rig.ask(.test(digest), tag: 3)) == DeviceRig.digest(DeviceRig.factoryImage))
        guard case .error(let wrong) = try rig.ask(.confirm(digest), tag: 4).first else {
            Issue.record("CONFIRM of an image that does not run")
            return
        }
        #expect(wrong.code == .wrongImage)
        let before = rig.device.bootID
        guard case .resetting = try rig.ask(.reset, tag: 5).first else {
            Issue.record("no RESETTING")
            return
        }
        #expect(rig.stack.disconnected == [DeviceRig.connection])
        #expect(rig.stack.resets.count == 1)
        try rig.powerOn()
        #expect(rig.device.bootID != before)
        #expect(try running(rig.ask(.images, tag: 1)) == digest)
        try rig.powerOn()
        #expect(try running(rig.ask(.images, tag: 1)) == DeviceRig.digest(DeviceRig.factoryImage))
    }

    @Test("BTP-069, BTP-091: what runs needs no test, and while it is tested the old image stays")
    func onTest() throws {
        let rig = try DeviceRig()
        try rig.openSession()
        let factory = DeviceRig.digest(DeviceRig.factoryImage)
        #expect(try running(rig.ask(.test(factory), tag: 1)) == factory)
        let image = [UInt8](repeating: 3, count: 700)
        _ = try rig.write(image, as: .firmware, tag: 2)
        _ = try rig.ask(.test(DeviceRig.digest(image)), tag: 3)
        #expect(try refusal(rig.write([1, 2, 3], as: .firmware, tag: 4)) == .notPermitted)
        _ = try rig.ask(.reset, tag: 5)
        try rig.powerOn()
        #expect(try refusal(rig.write([1, 2, 3], as: .firmware, tag: 1)) == .notPermitted)
        let states = try rig.ask(.test(DeviceRig.digest(image)), tag: 2)
        #expect(running(states) == DeviceRig.digest(image))
        #expect(try refusal(rig.ask(.test(factory), tag: 3)) == .notPermitted)
    }

    private func refusal(_ messages: [Message]) -> ErrorCode? {
        guard case .error(let error) = messages.first else { return nil }
        return error.code
    }

    private func isCommitted(_ message: Message) -> Bool {
        if case .committed = message { return true }
        return false
    }

    private func running(_ messages: [Message]) -> Digest? {
        guard case .imageStates(let slots) = messages.first else { return nil }
        return (0..<slots.count).map { slots[$0] }.first { $0.flags.contains(.running) }?.digest
    }
}

import BargePeripheral
import BargeProtocol
import Bluetooth
import Testing

@Suite("The device's half of the GATT pipe, value by value")
struct AttributePipeTests {
    private static let probe: [UInt8] = [0x83, 0, 0, 0, 0]

    /// A device with nothing open; its clock stands unless a test moves it.
    private func rig() throws -> DeviceRig {
        let rig = try DeviceRig()
        rig.runsClock = false
        rig.device.handle(.connected(DeviceRig.connection), on: &rig.stack)
        return rig
    }

    /// Writes a value, and returns those that were notified since the last call.
    private func write(_ value: [UInt8], to rig: DeviceRig) -> [[UInt8]] {
        let upload = ServiceIdentifier.upload
        rig.device.handle(
            .valueWritten(
                value, characteristic: BluetoothUUID(high: upload.high, low: upload.low),
                connection: DeviceRig.connection),
            on: &rig.stack)
        return notified(by: rig)
    }

    private func notified(by rig: DeviceRig) -> [[UInt8]] {
        defer { rig.stack.notified = [] }
        return rig.stack.notified
    }

    /// Moves the clock to the wake-up that the device asked for.
    private func wake(_ rig: DeviceRig) throws {
        rig.stack.now = try #require(rig.stack.wakeAt)
        rig.device.handle(.woke, on: &rig.stack)
    }

    @Test("BTP-026: a device that waits a second for credit sends PROBE, and again after another")
    func probesForCredit() throws {
        let rig = try rig()
        #expect(write([0x80, 1, 0, 0, 0, 0], to: rig) == [[0x81, 1, 32, 0, 0, 0]])
        let begin = rig.stack.now
        for second in 1...3 {
            try wake(rig)
            #expect(rig.stack.now == begin.advanced(microseconds: UInt64(second) * 1_000_000))
            #expect(notified(by: rig) == [Self.probe], "no data value was sent")
        }
        let data = write([0x82, 64, 0, 0, 0], to: rig)
        #expect(data.first?.prefix(2) == [0, FrameType.hello.rawValue])
        try wake(rig)
        #expect(notified(by: rig).isEmpty, "there is nothing to wait for any more")
    }

    @Test("BTP-026: PROBE on a pipe that was never opened, or is closed, is answered BROKEN")
    func answersProbe() throws {
        let rig = try rig()
        #expect(write(Self.probe, to: rig) == [[0x84, 1]])
        #expect(write([0x80, 1, 65, 0, 0, 0], to: rig) == [[0x84, 3]], "65 values: BTP-022")
        #expect(write([0x80, 1, 64, 0, 0, 0], to: rig).first?.first == 0x81)
        #expect(write([0x05, 1], to: rig) == [[0x84, 1]], "a gap")
        #expect(write(Self.probe, to: rig) == [[0x84, 1]])
    }
}

import Bluetooth
import Testing

@Suite("UUIDs")
struct UUIDTests {
    @Test("A short UUID is the long one over the Bluetooth base")
    func base() {
        // Core 5.4, Vol 3, Part B, 2.5.1: 0000xxxx-0000-1000-8000-00805F9B34FB.
        let long = BluetoothUUID("0000180a-0000-1000-8000-00805f9b34fb")
        #expect(long == BluetoothUUID(0x180A))
        #expect(long?.short == 0x180A)
        #expect(long?.description == "180A")
        #expect(BluetoothUUID("180a") == long)
        #expect(BluetoothUUID("0000180A") == long)
        let wide = BluetoothUUID("1234180A-0000-1000-8000-00805F9B34FB")
        #expect(wide != nil && BluetoothUUID("1234180A") == wide)
    }

    @Test("A long UUID is printed as it was read, in upper case")
    func long() {
        let text = "ABDD3056-28FA-441D-A470-55A75A52553A"
        let uuid = BluetoothUUID(text)
        #expect(uuid?.description == text)
        #expect(uuid == BluetoothUUID(text.lowercased()))
        #expect(uuid == PSM.characteristic)
        #expect(uuid?.short == nil)
    }

    @Test("A UUID that differs from the base in any part has no short form")
    func notShort() {
        #expect(BluetoothUUID("0001180A-0000-1000-8000-00805F9B34FB")?.short == nil)
        #expect(BluetoothUUID("0000180A-0000-1000-8000-00805F9B34FC")?.short == nil)
        #expect(BluetoothUUID("0000180A-0001-1000-8000-00805F9B34FB")?.short == nil)
    }

    @Test(
        "Anything else is not a UUID",
        arguments: [
            "", "1", "18", "180", "180G", "180AB", "0000180", "00001180A", "0x180A", " 180A",
            "180A ",
            "ABDD3056-28FA-441D-A470-55A75A52553", "ABDD3056-28FA-441D-A470-55A75A52553AA",
            "ABDD305628FA441DA47055A75A52553A", "ABDD3056-28FA-441D-A470-55A75A52553G",
            "ABDD-305628FA-441D-A470-55A75A52553A", "------------------------------------",
            "ABDD3056-28FA-441D-A470-55A75A5255\u{0663}A",
        ])
    func refused(text: String) {
        #expect(BluetoothUUID(text) == nil)
    }
}

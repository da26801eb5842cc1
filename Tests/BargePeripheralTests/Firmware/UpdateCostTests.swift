import BargePeripheral
import Testing

@Suite("What an update costs on the chip")
struct UpdateCostTests {
    @Test("What operations would take adds up from the chip's figures")
    func cost() throws {
        var slots = try SlotTests.device()
        _ = try slots.beginImage(ImageIdentity(of: SlotTests.newImage))
        try slots.write(Array(SlotTests.newImage[..<64]), at: 0)
        let before = slots.flash.elapsedMicroseconds
        let counted = slots.flash.counters
        // 64 bytes that need no erase, read back, and a record of 56 bytes in a fresh sector, read
        // back.
        try slots.write(Array(SlotTests.newImage[64..<128]), at: 64)
        let after = slots.flash.counters
        #expect(after.programmedBytes - counted.programmedBytes == 64 + 56)
        #expect(after.erasedBytes - counted.erasedBytes == 128)
        #expect(after.readBytes - counted.readBytes == 64 + 56)
        #expect(slots.flash.elapsedMicroseconds - before == 1000 + 120 / 4 * 10 + 120 / 8)
    }

    @Test("A resume within a sector rescues its good bytes at the price of three erases")
    func rescue() throws {
        var slots = try SlotTests.device()
        _ = try slots.beginImage(ImageIdentity(of: SlotTests.newImage))
        try slots.write(Array(SlotTests.newImage[..<64]), at: 0)
        try slots.boot()
        _ = try slots.beginImage(ImageIdentity(of: SlotTests.newImage))
        let before = slots.flash.counters.eraseCalls
        try slots.write(Array(SlotTests.newImage[64..<128]), at: 64)
        #expect(slots.flash.counters.eraseCalls - before == 3)
        #expect(try slots.read(.inactive, 0..<128) == Array(SlotTests.newImage[..<128]))
    }
}

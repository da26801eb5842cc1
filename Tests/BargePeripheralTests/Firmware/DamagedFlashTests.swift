import Testing

@testable import BargePeripheral

@Suite("A flash that holds what nobody wrote")
struct DamagedFlashTests {
    @Test(
        "An image that rots before its test does not run; one that rots later gives way"
    )
    func rot() throws {
        var slots = try SlotTests.device()
        try SlotTests.install(SlotTests.newImage, on: &slots)
        try slots.markForTest(digest(SlotTests.newImage))
        var rotten = try Self.reopened(slots, flippingBitAt: slots.layout.address(of: .b) + 99)
        #expect(try rotten.boot().reason == .candidateDamaged)
        #expect(try rotten.slots()[1].image == nil)

        try slots.boot()
        try slots.confirm()
        rotten = try Self.reopened(slots, flippingBitAt: slots.layout.address(of: .b) + 99)
        #expect(try rotten.boot().reason == .permanentDamaged)
        #expect(try rotten.boot().reason == .permanent)
        #expect(rotten.running == .a)
        rotten = try Self.reopened(rotten, flippingBitAt: rotten.layout.address(of: .a))
        expectError(.corrupt) { try rotten.boot() }
    }

    @Test("A flipped bit in the newest boot record brings back the one before it")
    func rottenRecord() throws {
        var slots = try SlotTests.device()
        try SlotTests.install(SlotTests.newImage, on: &slots)
        try slots.markForTest(digest(SlotTests.newImage))
        let bytes = slots.flash.medium.bytes
        for address in 0..<256 where bytes[address] != 0xFF {
            var flipped = try Self.reopened(slots, flippingBitAt: address)
            #expect([.trial, .permanent].contains(try flipped.boot().reason))
        }
    }

    @Test("A valid record that tells of an image larger than a slot is corrupt, not obeyed")
    func layoutOfAnotherDevice() throws {
        var slots = try SlotTests.device()
        let huge = ImageIdentity(length: 385, sha256: digest([]))
        let progress = ProgressRecord(slot: .b, image: huge, durableOffset: 385, isRescuing: true)
        try slots.journal.append(progress, to: &slots.flash)
        #expect(try slots.slots()[1].partial == nil)
        let record = BootRecord(permanent: .b, trial: .none, imageA: nil, imageB: huge)
        try slots.bootLog.append(record, to: &slots.flash)
        expectError(.corrupt) { try slots.boot() }
    }

    @Test("Random bytes anywhere end in a running image or an error, never in a trap")
    func randomDamage() throws {
        var slots = try SlotTests.device()
        _ = try slots.beginImage(ImageIdentity(of: SlotTests.newImage))
        try slots.write(Array(SlotTests.newImage[..<64]), at: 0)
        let good = slots.flash.medium.bytes
        var random = TestGenerator(seed: 21)
        var started = 0
        for _ in 0..<1000 {
            var bytes = good
            for _ in 0..<Int.random(in: 1...8, using: &random) {
                let place = Int.random(in: bytes.indices, using: &random)
                bytes[place] = UInt8.random(in: 0...255, using: &random)
            }
            var device = try Self.device(bytes, like: slots)
            do throws(StorageError) {
                try device.boot()
                started += 1
                #expect(try device.read(.running, 0..<300) == SlotTests.oldImage)
                _ = try device.slots()
                let image = ImageIdentity(length: 381, sha256: digest(SlotTests.newImage))
                _ = try device.beginImage(image, restart: true)
                try device.write(Array(SlotTests.newImage[..<64]), at: 0)
            } catch {
                #expect([.notFound, .corrupt].contains(error.kind))
            }
        }
        #expect((1..<1000).contains(started))
    }

    private static func reopened(
        _ slots: MemorySlots, flippingBitAt address: Int
    ) throws -> MemorySlots {
        var bytes = slots.flash.medium.bytes
        bytes[address] ^= 1
        return try device(bytes, like: slots)
    }

    private static func device(_ bytes: [UInt8], like slots: MemorySlots) throws -> MemorySlots {
        let flash = try FlashModel(
            geometry: slots.layout.geometry, medium: MemoryFlashMedium(bytes: bytes))
        return MemorySlots(flash: flash, layout: slots.layout)
    }
}

import BargePeripheral
import Testing

@Suite("Firmware slots: upload, test, confirm, revert")
struct SlotTests {
    static let oldImage = pattern(300, seed: 1)
    static let newImage = pattern(381, seed: 2)

    /// A device with 128-byte sectors and slots of 384 bytes that runs `oldImage`.
    static func device(programUnit: Int = 4) throws -> MemorySlots {
        let geometry = try FlashGeometry(
            size: 11 * 128, sectorSize: 128, programUnit: programUnit,
            eraseSectorMicroseconds: 1000, programUnitMicroseconds: 10, readBytesPerMicrosecond: 8)
        var slots = MemorySlots(
            flash: try FlashModel(
                geometry: geometry, medium: MemoryFlashMedium(size: 11 * 128, filledWith: 0xFF)),
            layout: try FirmwareLayout(geometry: geometry, slotSize: 384))
        try slots.provision(oldImage)
        #expect(try slots.boot().reason == .permanent)
        return slots
    }

    /// Uploads and finishes an image.
    static func install(_ image: [UInt8], on slots: inout MemorySlots) throws {
        #expect(try slots.beginImage(ImageIdentity(of: image)) == .upload(from: 0))
        for start in stride(from: 0, to: image.count, by: 64) {
            try slots.write(Array(image[start..<min(start + 64, image.count)]), at: start)
        }
        try slots.finishImage()
    }

    @Test("An image that is tested and confirmed stays")
    func testAndConfirm() throws {
        var slots = try Self.device()
        try Self.install(Self.newImage, on: &slots)
        try slots.markForTest(digest(Self.newImage))
        #expect(try slots.slots()[1].isPending)
        let trial = try slots.boot()
        #expect(trial.slot == .b)
        #expect(trial.image == ImageIdentity(of: Self.newImage))
        #expect(trial.reason == .trial)
        #expect(try slots.slots().map(\.isConfirmed) == [true, false])
        try slots.confirm()
        try slots.confirm()
        #expect(try slots.boot().reason == .permanent)
        #expect(slots.running == .b)
        let states = try slots.slots()
        #expect(states.map(\.isActive) == [false, true])
        #expect(states.map(\.isVerified) == [true, true])
        #expect(states.map(\.isConfirmed) == [false, true])
    }

    @Test("An image that is tested and not confirmed gives way to the old one, and says so")
    func revert() throws {
        var slots = try Self.device()
        try Self.install(Self.newImage, on: &slots)
        try slots.markForTest(digest(Self.newImage))
        try slots.boot()
        #expect(try slots.boot().reason == .reverted)
        #expect(slots.running == .a)
        #expect(try slots.boot().reason == .permanent)
        #expect(try slots.slots()[1].isReverted)
        #expect(try slots.beginImage(ImageIdentity(of: Self.newImage)) == .complete)
        try slots.markForTest(digest(Self.newImage))
        #expect(try slots.boot().reason == .trial)
    }

    @Test(
        "After a confirmed update the previous image can be gone back to without an upload"
    )
    func goBack() throws {
        var slots = try Self.device()
        try Self.install(Self.newImage, on: &slots)
        try slots.markForTest(digest(Self.newImage))
        try slots.boot()
        try slots.confirm()
        #expect(try slots.beginImage(ImageIdentity(of: Self.oldImage)) == .complete)
        try slots.markForTest(digest(Self.oldImage))
        #expect(try slots.boot().slot == .a)
    }

    @Test("An image that already runs needs no upload, unless one is asked for")
    func alreadyRuns() throws {
        var slots = try Self.device()
        #expect(try slots.beginImage(ImageIdentity(of: Self.oldImage)) == .running)
        #expect(
            try slots.beginImage(ImageIdentity(of: Self.oldImage), restart: true)
                == .upload(from: 0))
    }

    @Test("The slot that an unconfirmed image falls back to cannot be overwritten")
    func fallbackIsSacred() throws {
        var slots = try Self.device()
        try Self.install(Self.newImage, on: &slots)
        try slots.markForTest(digest(Self.newImage))
        try slots.boot()
        let other = ImageIdentity(of: pattern(100, seed: 4))
        expectError(.wrongState) { try slots.beginImage(other) }
        expectError(.wrongState) { try slots.beginImage(other, restart: true) }
        expectError(.wrongState) { try slots.markForTest(digest(Self.oldImage)) }
        try slots.confirm()
        #expect(try slots.beginImage(other) == .upload(from: 0))
    }

    @Test("An image that waits for its test is given up only on request")
    func pendingIsKept() throws {
        var slots = try Self.device()
        try Self.install(Self.newImage, on: &slots)
        try slots.markForTest(digest(Self.newImage))
        let other = ImageIdentity(of: pattern(100, seed: 4))
        expectError(.wrongState) { try slots.beginImage(other) }
        #expect(try slots.beginImage(ImageIdentity(of: Self.newImage)) == .complete)
        #expect(try slots.beginImage(other, restart: true) == .upload(from: 0))
        #expect(try slots.boot().slot == .a)
    }

    @Test("An image whose digest differs is never bootable, and its progress is given up")
    func wrongDigest() throws {
        var slots = try Self.device()
        let lie = ImageIdentity(length: 64, sha256: digest([1, 2, 3]))
        _ = try slots.beginImage(lie)
        try slots.write(pattern(64, seed: 3), at: 0)
        expectError(.digestMismatch) { try slots.finishImage() }
        expectError(.notFound) { try slots.markForTest(lie.sha256) }
        #expect(try slots.slots()[1].image == nil)
        #expect(try slots.slots()[1].partial == nil)
        #expect(try slots.beginImage(lie) == .upload(from: 0))
        #expect(try slots.boot().slot == .a)
    }

    @Test("Blocks that do not continue the image, or are no whole program units, are refused")
    func blocks() throws {
        var slots = try Self.device(programUnit: 8)
        expectError(.wrongState) { try slots.write([1], at: 0) }
        _ = try slots.beginImage(ImageIdentity(of: Self.newImage))
        expectError(.invalidArgument) { try slots.write(Array(Self.newImage[8..<16]), at: 8) }
        expectError(.invalidArgument) { try slots.write([], at: 0) }
        expectError(.invalidArgument) { try slots.write(Array(Self.newImage[..<12]), at: 0) }
        expectError(.invalidArgument) { try slots.write(pattern(382, seed: 1), at: 0) }
        expectError(.wrongState) { try slots.finishImage() }
        #expect(try slots.write(Array(Self.newImage[..<376]), at: 0) == 376)
        #expect(try slots.write(Array(Self.newImage[376...]), at: 376) == 381)
        try slots.finishImage()
        expectError(.wrongState) { try slots.finishImage() }
    }

    @Test("Images of no byte, of a slot's size and of one more: only the second is taken")
    func sizes() throws {
        var slots = try Self.device()
        expectError(.invalidArgument) { try slots.beginImage(ImageIdentity(of: [])) }
        expectError(.noSpace) { try slots.beginImage(ImageIdentity(of: pattern(385, seed: 1))) }
        try Self.install(pattern(384, seed: 1), on: &slots)
    }

    @Test(
        "An upload goes on where it was after a reset, and the prefix has the CRC-32 of its bytes")
    func resume() throws {
        var slots = try Self.device()
        let image = ImageIdentity(of: Self.newImage)
        _ = try slots.beginImage(image)
        try slots.write(Array(Self.newImage[..<64]), at: 0)
        try slots.write(Array(Self.newImage[64..<160]), at: 64)
        try slots.boot()
        #expect(try slots.slots()[1].partial?.durableOffset == 160)
        #expect(try slots.beginImage(image) == .upload(from: 160))
        #expect(try slots.prefixCRC32(upTo: 160) == bitwiseCRC32(Self.newImage[..<160]))
        expectError(.invalidArgument) { try slots.prefixCRC32(upTo: 161) }
        expectError(.invalidArgument) { try slots.read(.inactive, 100..<161) }
        try slots.write(Array(Self.newImage[160...]), at: 160)
        try slots.finishImage()
        #expect(try slots.read(.inactive, 0..<381) == Self.newImage)
        #expect(try slots.read(.running, 10..<20) == Array(Self.oldImage[10..<20]))
    }

    @Test("A new connection to a device that was not reset costs no erase")
    func resumeInSession() throws {
        var slots = try Self.device()
        _ = try slots.beginImage(ImageIdentity(of: Self.newImage))
        try slots.write(Array(Self.newImage[..<64]), at: 0)
        var undisturbed = slots
        #expect(try slots.beginImage(ImageIdentity(of: Self.newImage)) == .upload(from: 64))
        try slots.write(Array(Self.newImage[64..<72]), at: 64)
        try undisturbed.write(Array(Self.newImage[64..<72]), at: 64)
        #expect(slots.flash.counters.eraseCalls == undisturbed.flash.counters.eraseCalls)
    }

    @Test("A restart begins at 0 whatever is there")
    func restart() throws {
        var slots = try Self.device()
        let image = ImageIdentity(of: Self.newImage)
        _ = try slots.beginImage(image)
        try slots.write(Array(Self.newImage[..<64]), at: 0)
        #expect(try slots.beginImage(image, restart: true) == .upload(from: 0))
        try slots.write(Array(Self.newImage[..<64]), at: 0)
        #expect(try slots.read(.inactive, 0..<64) == Array(Self.newImage[..<64]))
    }

    @Test("Nothing but a boot and the factory's step is possible before the device runs")
    func notBooted() throws {
        let geometry = try FlashGeometry(size: 11 * 128, sectorSize: 128)
        var slots = MemorySlots(
            flash: try FlashModel(
                geometry: geometry, medium: MemoryFlashMedium(size: 11 * 128, filledWith: 0xFF)),
            layout: try FirmwareLayout(geometry: geometry, slotSize: 384))
        expectError(.notFound) { try slots.boot() }
        expectError(.wrongState) { try slots.beginImage(ImageIdentity(of: Self.newImage)) }
        expectError(.wrongState) { try slots.confirm() }
        expectError(.wrongState) { try slots.slots() }
        try slots.provision(Self.oldImage)
        expectError(.notPermitted) { try slots.provision(Self.newImage) }
        #expect(try slots.boot().slot == .a)
    }
}

/// Expects a storage error of a kind, with three parts that say something.
func expectError<Value>(
    _ kind: StorageError.Kind, at location: SourceLocation = #_sourceLocation,
    _ body: () throws -> Value
) {
    let error = #expect(throws: StorageError.self, sourceLocation: location) { try body() }
    #expect(error?.kind == kind, sourceLocation: location)
    let parts = error.map { [$0.what, $0.why, $0.advice] } ?? []
    #expect(parts.allSatisfy { !$0.isEmpty && !$0.hasSuffix(".") }, sourceLocation: location)
}

/// CRC-32 bit by bit from its definition: IEEE 802.3, reflected polynomial 0xEDB88320.
func bitwiseCRC32(_ bytes: some Sequence<UInt8>) -> UInt32 {
    ~bytes.reduce(~0) { crc, byte in
        (0..<8).reduce(crc ^ UInt32(byte)) { value, _ in
            value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1
        }
    }
}

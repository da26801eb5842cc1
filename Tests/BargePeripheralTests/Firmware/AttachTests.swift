import BargePeripheral
import Testing

@Suite("Attaching to a device that runs")
struct AttachTests {
    private typealias Slots = FirmwareSlots<MemoryFlashMedium, OpenSSLDigester>
    private let factory = [UInt8](repeating: 0x11, count: 5_000)
    private let update = [UInt8](repeating: 0x22, count: 6_000)

    private func provisioned() throws -> Slots {
        let size = FirmwareLayout.flashSize(slotSize: 8_192, sectorSize: 4_096)
        let geometry = try FlashGeometry(size: size)
        let medium = MemoryFlashMedium(size: size, filledWith: 0xFF)
        var slots = Slots(
            flash: try FlashModel(geometry: geometry, medium: medium),
            layout: try FirmwareLayout(geometry: geometry, slotSize: 8_192))
        try slots.provision(factory)
        return slots
    }

    private func onTrial() throws -> Slots {
        var slots = try provisioned()
        try slots.boot()
        var digester = OpenSSLDigester()
        update.withUnsafeBytes { digester.update($0) }
        let image = ImageIdentity(length: update.count, sha256: digester.finish())
        _ = try slots.beginImage(image, restart: false)
        _ = try slots.write(update, at: 0)
        try slots.finishImage()
        try slots.markForTest(image.sha256)
        try slots.boot()
        return slots
    }

    /// The same flash in the hands of another process.
    private func next(_ slots: Slots) -> Slots { Slots(flash: slots.flash, layout: slots.layout) }

    @Test("The permanent image goes on running, and nothing is written")
    func permanent() throws {
        var slots = next(try provisioned())
        let before = slots.flash.medium.bytes
        try slots.attach(running: .a)
        #expect(slots.running == .a)
        #expect(slots.flash.medium.bytes == before)
    }

    @Test("An image on trial stays on trial: it can be confirmed, and gives way at a boot")
    func trial() throws {
        let running = try onTrial()
        #expect(running.running == .b)
        var slots = next(running)
        try slots.attach(running: .b)
        #expect(try slots.slots().map(\.isActive) == [false, true])
        #expect(try slots.slots().map(\.isConfirmed) == [true, false])
        var confirmed = slots
        try confirmed.confirm()
        #expect(try confirmed.boot().slot == .b)
        #expect(try slots.boot().reason == .reverted)
    }

    @Test("A slot that no boot would have left running is refused")
    func refused() throws {
        var empty = next(try provisioned())
        #expect(throws: StorageError.self) { try empty.attach(running: .b) }
        #expect(empty.running == nil)
        var reverted = try onTrial()
        try reverted.boot()
        var slots = next(reverted)
        let error = #expect(throws: StorageError.self) { try slots.attach(running: .b) }
        #expect(error?.kind == .wrongState)
    }

    @Test("A device without firmware cannot be running")
    func blank() throws {
        let size = FirmwareLayout.flashSize(slotSize: 8_192, sectorSize: 4_096)
        let geometry = try FlashGeometry(size: size)
        let medium = MemoryFlashMedium(size: size, filledWith: 0xFF)
        var slots = Slots(
            flash: try FlashModel(geometry: geometry, medium: medium),
            layout: try FirmwareLayout(geometry: geometry, slotSize: 8_192))
        let error = #expect(throws: StorageError.self) { try slots.attach(running: .a) }
        #expect(error?.kind == .notFound)
    }
}

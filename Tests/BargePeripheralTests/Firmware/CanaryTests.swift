import Testing

@testable import BargePeripheral

/// Storage with bugs on purpose: the proof must find each, or it proves nothing.
@Suite("The power-cut proof finds bugs that were put in on purpose")
struct CanaryTests {
    /// Records the progress before the bytes are in the flash.
    enum RecordsFirst: UpdateWriter {
        static func write(
            _ bytes: [UInt8], at offset: Int, to slots: inout MemorySlots
        ) throws(StorageError) -> Int {
            var progress = try slots.requireUpload()
            progress.durableOffset = offset + bytes.count
            return try slots.attempt("writing") { (slots) throws(FlashError) in
                try slots.journal.append(progress, to: &slots.flash)
                try eraseAndProgram(bytes, at: offset, &slots)
                return progress.durableOffset
            }
        }
    }

    /// Erases a sector without rescuing the good bytes in it.
    enum ForgetsToRescue: UpdateWriter {
        static func write(
            _ bytes: [UInt8], at offset: Int, to slots: inout MemorySlots
        ) throws(StorageError) -> Int {
            var progress = try slots.requireUpload()
            progress.durableOffset = offset + bytes.count
            let isFresh = slots.upload?.erasedEnd == nil
            return try slots.attempt("writing") { (slots) throws(FlashError) in
                if isFresh, !offset.isMultiple(of: slots.layout.geometry.sectorSize) {
                    let address = slots.layout.address(of: .b) + offset
                    try slots.flash.erase(sector: address / slots.layout.geometry.sectorSize)
                }
                try eraseAndProgram(bytes, at: offset, &slots)
                try slots.journal.append(progress, to: &slots.flash)
                slots.upload?.erasedEnd = progress.durableOffset
                return progress.durableOffset
            }
        }
    }

    /// Reports more than is recorded.
    enum Boasts: UpdateWriter {
        static func write(
            _ bytes: [UInt8], at offset: Int, to slots: inout MemorySlots
        ) throws(StorageError) -> Int {
            try slots.write(bytes, at: offset) + 1
        }
    }

    @Test("An offset that is reported and not durable")
    func boasts() throws {
        let (_, broken) = try PowerCutTests.cutEverywhere(
            UpdateProof<Boasts>(UpdateShape(blockSize: 128)), untilBroken: 1)
        #expect(broken.contains { $0.contains("was reported") })
    }

    @Test("Progress that is recorded before the bytes are there")
    func recordsFirst() throws {
        let (_, broken) = try PowerCutTests.cutEverywhere(
            UpdateProof<RecordsFirst>(UpdateShape(blockSize: 128)), untilBroken: 1)
        #expect(broken.contains { $0.contains("are not the image's") })
    }

    @Test("Good bytes that are erased with the bad ones behind them")
    func forgetsToRescue() throws {
        let (_, broken) = try PowerCutTests.cutEverywhere(
            UpdateProof<ForgetsToRescue>(UpdateShape(blockSize: 64)), untilBroken: 1)
        #expect(broken.contains { $0.contains("SHA-256") })
    }

    private static func eraseAndProgram(
        _ bytes: [UInt8], at offset: Int, _ slots: inout MemorySlots
    ) throws(FlashError) {
        if offset.isMultiple(of: slots.layout.geometry.sectorSize) {
            _ = try slots.erase(.b, from: offset, to: offset + bytes.count)
        }
        let address = slots.layout.address(of: .b) + offset
        try bytes.withBytes { (buffer) throws(FlashError) in
            try slots.programPadded(buffer, at: address)
        }
    }
}

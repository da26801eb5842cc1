// How an upload's bytes reach the flash.

extension FirmwareSlots {
    /// Makes sure that what follows the durable offset in its sector is erased, and answers where
    /// that ends.
    ///
    /// In a session that has erased the sector itself, there is nothing to do. After a power-up or
    /// a failure the rest of the sector may hold bytes of a torn write, or look erased and not be.
    /// The sector is then erased, and the good bytes before the durable offset go through the
    /// scratch sector:
    ///
    /// 1. copy them to the scratch sector, read back;
    /// 2. record: they are to be taken from there (`isRescuing`);
    /// 3. erase the sector and copy them back, read back.
    ///
    /// A cut in 1 leaves the sector as it was. From 2 on the scratch sector is not touched, and
    /// whoever finds the record repeats 2 and 3. The record of the next write ends it.
    mutating func prepare(
        _ progress: ProgressRecord, erasedEnd: Int?
    ) throws(FlashError) -> Int {
        if let erasedEnd { return erasedEnd }
        let offset = progress.durableOffset
        let geometry = layout.geometry
        let start = geometry.sectorStart(of: offset)
        let count = offset - start
        guard count > 0 else { return offset }
        let address = layout.address(of: progress.slot) + start
        let source = progress.isRescuing ? layout.scratchAddress : address
        let good = try flash.read(source..<source + count)
        if !progress.isRescuing {
            try flash.erase(sector: layout.scratchSector)
            try flash.programAndVerify(good, at: layout.scratchAddress)
        }
        var rescue = progress
        rescue.isRescuing = true
        try journal.append(rescue, to: &flash)
        try flash.erase(sector: address / geometry.sectorSize)
        try flash.programAndVerify(good, at: address)
        return start + geometry.sectorSize
    }

    /// Erases the slot's sectors from `cleanEnd`, a border of sectors, until `end` lies in an
    /// erased one. Answers where the erased ones end.
    mutating func erase(
        _ slot: FirmwareSlot, from cleanEnd: Int, to end: Int
    ) throws(FlashError) -> Int {
        let sectorSize = layout.geometry.sectorSize
        var erasedEnd = cleanEnd
        while erasedEnd < end {
            try flash.erase(sector: (layout.address(of: slot) + erasedEnd) / sectorSize)
            erasedEnd += sectorSize
        }
        return erasedEnd
    }

    /// Programs bytes, the last unit padded with the erased value, and reads them back.
    mutating func programPadded(
        _ bytes: UnsafeRawBufferPointer, at address: Int
    ) throws(FlashError) {
        let geometry = layout.geometry
        let whole = bytes.count / geometry.programUnit * geometry.programUnit
        if whole > 0 {
            try flash.programAndVerify(
                UnsafeRawBufferPointer(rebasing: bytes[..<whole]), at: address)
        }
        guard whole < bytes.count else { return }
        var tail = [UInt8](repeating: geometry.erasedValue, count: geometry.programUnit)
        tail.replaceSubrange(..<(bytes.count - whole), with: bytes[whole...])
        try flash.programAndVerify(tail, at: address + whole)
    }
}

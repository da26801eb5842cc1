/// Which of the two slots.
public enum FirmwareSlot: UInt8, Hashable, Sendable, CaseIterable {
    /// The slot that a new device runs from.
    case a = 0
    /// The slot that its first update goes to.
    case b = 1

    /// The other one.
    public var other: FirmwareSlot { self == .a ? .b : .a }
}

/// Where everything lies in the flash, from address 0 on: two sectors of boot records, two sectors
/// of progress records, one scratch sector, slot A, slot B.
public struct FirmwareLayout: Hashable, Sendable {
    /// The flash that the layout is for.
    public let geometry: FlashGeometry
    /// Bytes of one slot, a multiple of the sector size.
    public let slotSize: Int

    /// Sectors before slot A.
    public static let overheadSectors = 5

    /// A layout of two slots of `slotSize` bytes.
    /// - Throws: ``StorageError`` of kind `invalidArgument` or `noSpace` when it does not fit the
    ///   flash.
    public init(geometry: FlashGeometry, slotSize: Int) throws(StorageError) {
        guard slotSize > 0, slotSize.isMultiple(of: geometry.sectorSize) else {
            throw StorageError(
                .invalidArgument, what: "A slot of \(slotSize) bytes is not possible",
                why: "the flash is erased in sectors of \(geometry.sectorSize) bytes",
                advice: "Choose a multiple of that")
        }
        let record = geometry.roundedToUnits(BootRecord.encodedSize)
        guard record <= geometry.sectorSize else {
            throw StorageError(
                .invalidArgument, what: "Sectors of \(geometry.sectorSize) bytes are not possible",
                why: "a boot record takes \(record) bytes and must fit one",
                advice: "Choose larger sectors")
        }
        let needed = Self.flashSize(slotSize: slotSize, sectorSize: geometry.sectorSize)
        guard needed <= geometry.size else {
            throw StorageError(
                .noSpace, what: "Two slots of \(slotSize) bytes do not fit",
                why: "they need \(needed) bytes of flash, and there are \(geometry.size)",
                advice: "Choose smaller slots or a larger flash")
        }
        self.geometry = geometry
        self.slotSize = slotSize
    }

    /// Bytes of flash that two slots of `slotSize` bytes need, with everything around them.
    public static func flashSize(slotSize: Int, sectorSize: Int) -> Int {
        overheadSectors * sectorSize + 2 * slotSize
    }

    /// The first of the two sectors of boot records.
    let bootSector = 0
    /// The first of the two sectors of progress records.
    let journalSector = 2
    /// The sector that keeps the good part of another one while that is erased.
    let scratchSector = 4

    /// The address of the scratch sector.
    var scratchAddress: Int { scratchSector * geometry.sectorSize }

    /// The address at which a slot begins.
    public func address(of slot: FirmwareSlot) -> Int {
        Self.overheadSectors * geometry.sectorSize + Int(slot.rawValue) * slotSize
    }
}

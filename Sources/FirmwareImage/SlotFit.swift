/// Whether an image and a slot are made for each other.
public enum SlotFit: Sendable, Equatable {
    /// The payload fits, with so many bytes to spare.
    case fits(spareByteCount: Int)
    /// The payload is larger than the slot, by so many bytes.
    case tooLarge(excessByteCount: Int)
    /// The file is padded for a slot of another size, so that its trailer would lie elsewhere.
    case paddedForAnotherSlot(paddedByteCount: Int, slotByteCount: Int)
}

extension FirmwareImage {
    /// Compares the payload with a slot of a given size in bytes.
    ///
    /// MCUboot keeps its own trailer at the end of a slot; how long that is depends on the device's
    /// flash, so only the device knows whether the spare bytes are enough for it.
    public func fit(slotByteCount: Int) -> SlotFit {
        guard payload.count <= slotByteCount else {
            return .tooLarge(excessByteCount: payload.count - slotByteCount)
        }
        if case .trailer = mcuboot?.tail, payload.count != slotByteCount {
            return .paddedForAnotherSlot(
                paddedByteCount: payload.count, slotByteCount: slotByteCount)
        }
        return .fits(spareByteCount: slotByteCount - payload.count)
    }
}

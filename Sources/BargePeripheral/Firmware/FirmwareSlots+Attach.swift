extension FirmwareSlots {
    /// Goes on with a device that runs already: another process booted it, and has ended since.
    /// Nothing is reset, so an image on trial stays on trial.
    ///
    /// - Throws: ``StorageError`` of kind `wrongState` when no boot would have left `slot` running,
    ///   so that the owner boots instead; and as ``boot()`` does.
    public mutating func attach(running slot: FirmwareSlot) throws(StorageError) {
        forget()
        let record = try requireBootRecord()
        let mayRun = slot == record.permanent || record.trial == .running
        guard mayRun, record[slot] != nil else {
            throw StorageError(
                .wrongState, what: "Slot \(slot) cannot be running",
                why: "it holds no image that was verified and started", advice: "Boot the device")
        }
        running = slot
    }
}

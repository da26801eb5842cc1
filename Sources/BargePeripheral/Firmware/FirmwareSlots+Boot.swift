/// What a boot did, and why.
public struct BootReport: Hashable, Sendable {
    /// Why this image was started.
    public enum Reason: String, Hashable, Sendable, CaseIterable {
        /// It is the permanent one and nothing else was asked for.
        case permanent
        /// It is on trial: unless it is confirmed, the next boot goes back to the permanent one.
        case trial
        /// It is the permanent one; the image that was on trial before was not confirmed.
        case reverted
        /// It is the permanent one; the image that was to be tried does not have its digest any
        /// more.
        case candidateDamaged
        /// It is the permanent one; that the other one was to be tried could not be recorded, so it
        /// waits.
        case trialPostponed
        /// The permanent one does not have its digest any more; this is the other one, now
        /// permanent.
        case permanentDamaged
    }

    /// The slot that runs now.
    public let slot: FirmwareSlot
    /// The image that runs now.
    public let image: ImageIdentity
    /// Why this one.
    public let reason: Reason
}

extension FirmwareSlots {
    /// Does what the bootloader does at a reset: chooses an image, verifies its digest, and runs
    /// it.
    ///
    /// The digest is verified at every boot, of the permanent image too: it costs one read of the
    /// image, and what it buys is that no byte runs that nobody vouches for, whatever happened to
    /// the flash since. That a trial begins is recorded before the image runs, so an image that
    /// hangs is tried once.
    /// - Throws: ``StorageError`` of kind `notFound` on a device without firmware, `corrupt` when
    ///   no image has its digest, `storageFailure` when the flash cannot be read, `powerLost`.
    @discardableResult
    public mutating func boot() throws(StorageError) -> BootReport {
        forget()
        let record = try requireBootRecord()
        switch record.trial {
        case .none, .reverted:
            return try runPermanent(record, .permanent)
        case .pending:
            return try runTrial(record)
        case .running:
            var reverted = record
            reverted.trial = .reverted
            // If this cannot be recorded, the next boot reverts again.
            _ = try appendIfPossible(reverted)
            return try runPermanent(reverted, .reverted)
        }
    }

    private mutating func runTrial(_ record: BootRecord) throws(StorageError) -> BootReport {
        var next = record
        let slot = record.permanent.other
        guard let image = record[slot], try holds(image, in: slot) else {
            next[slot] = nil
            next.trial = .none
            _ = try appendIfPossible(next)
            return try runPermanent(next, .candidateDamaged)
        }
        next.trial = .running
        guard try appendIfPossible(next) else { return try runPermanent(record, .trialPostponed) }
        running = slot
        return BootReport(slot: slot, image: image, reason: .trial)
    }

    private mutating func runPermanent(
        _ record: BootRecord, _ reason: BootReport.Reason
    ) throws(StorageError) -> BootReport {
        let slot = record.permanent
        if let image = record[slot], try holds(image, in: slot) {
            running = slot
            return BootReport(slot: slot, image: image, reason: reason)
        }
        // A verified image that was never confirmed is still better than a device that does
        // nothing.
        guard let image = record[slot.other], try holds(image, in: slot.other) else {
            throw StorageError(
                .corrupt, what: "No image can be started", why: "none has its digest any more",
                advice: "Program the device through its debug port")
        }
        var fallback = BootRecord(permanent: slot.other, trial: .none)
        fallback[slot.other] = image
        _ = try appendIfPossible(fallback)
        running = slot.other
        return BootReport(slot: slot.other, image: image, reason: .permanentDamaged)
    }

    /// Makes the running image the permanent one. Repeating it changes nothing.
    /// - Throws: ``StorageError`` of kind `wrongState` before ``boot()``, `storageFailure`,
    ///   `powerLost`.
    public mutating func confirm() throws(StorageError) {
        let running = try requireRunning()
        var record = try requireBootRecord()
        if record.permanent == running { return }
        record.permanent = running
        record.trial = .none
        try append(record, "confirming the running image")
    }

    /// Arranges that the verified image in the inactive slot runs at the next boot, once unless it
    /// is confirmed then. Repeating it changes nothing.
    /// - Throws: ``StorageError`` of kind `notFound` when the inactive slot holds no verified image
    ///   of that digest, `wrongState` while the running image is unconfirmed or when it alone is
    ///   the one asked for, `storageFailure`, `powerLost`.
    public mutating func markForTest(_ sha256: ContentDigest) throws(StorageError) {
        let running = try requireRunning()
        var record = try requireBootRecord()
        let isThere = record[running.other]?.sha256 == sha256
        guard isThere || record[running]?.sha256 != sha256 else {
            throw StorageError(
                .wrongState, what: "The image cannot be marked for a test",
                why: "it is the one that runs", advice: "Confirm it instead")
        }
        try requireConfirmed(running, record)
        guard isThere else {
            throw StorageError(
                .notFound, what: "The image cannot be marked for a test",
                why: "the inactive slot holds no verified image of that digest",
                advice: "Upload and finish it first")
        }
        if record.trial == .pending { return }
        record.trial = .pending
        try append(record, "marking the image for a test")
    }

    /// Refuses to touch the inactive slot while it holds the image that an unconfirmed one falls
    /// back to.
    func requireConfirmed(
        _ running: FirmwareSlot, _ record: BootRecord
    ) throws(StorageError) {
        guard record.permanent == running else {
            throw StorageError(
                .wrongState, what: "The other slot cannot be changed",
                why:
                    "it holds the image to go back to if the running one is not confirmed",
                advice: "Confirm the running image, or reset the device to go back")
        }
    }

    /// Appends a boot record where the boot can go on without it. A lost power is still an error.
    private mutating func appendIfPossible(_ record: BootRecord) throws(StorageError) -> Bool {
        do throws(StorageError) {
            try append(record, "recording the boot")
            return true
        } catch {
            if error.kind == .powerLost { throw error }
            return false
        }
    }

    private mutating func holds(
        _ image: ImageIdentity, in slot: FirmwareSlot
    ) throws(StorageError) -> Bool {
        try digest(of: slot, length: image.length) == image.sha256
    }

    /// The digest of the first `length` bytes of a slot, read back from the flash.
    mutating func digest(
        of slot: FirmwareSlot, length: Int
    ) throws(StorageError) -> ContentDigest {
        var digester = Digester()
        let address = layout.address(of: slot)
        try attempt("reading the image") { (slots) throws(FlashError) in
            try slots.flash.forEachChunk(of: address..<address + length, size: Self.chunkSize) {
                digester.update($0)
            }
        }
        return digester.finish()
    }
}

extension FlashModel {
    /// Reads `range` in pieces of at most `size` bytes.
    mutating func forEachChunk(
        of range: Range<Int>, size: Int, _ body: (UnsafeRawBufferPointer) -> Void
    ) throws(FlashError) {
        let buffer = UnsafeMutableRawBufferPointer.allocate(
            byteCount: min(size, max(range.count, 1)), alignment: 16)
        defer { buffer.deallocate() }
        for start in stride(from: range.lowerBound, to: range.upperBound, by: buffer.count) {
            let count = min(buffer.count, range.upperBound - start)
            let chunk = UnsafeMutableRawBufferPointer(rebasing: buffer[..<count])
            try read(at: start, into: chunk)
            body(UnsafeRawBufferPointer(chunk))
        }
    }
}

/// Where an upload begins.
public enum UploadStart: Hashable, Sendable {
    /// The bytes before this offset are durable; go on from there. 0 is a fresh start.
    case upload(from: Int)
    /// The inactive slot holds this image already, verified. Mark it for a test.
    case complete
    /// This image runs already.
    case running
}

extension FirmwareSlots {
    /// Prepares the inactive slot for an image, and answers how much of it is there.
    ///
    /// Another image in the slot, whole or partial, is given up. The slot itself is erased later,
    /// sector by sector, as bytes arrive.
    /// - Parameter restart: Start at 0 whatever is there, and give up even an image that waits for
    ///   its test.
    /// - Throws: ``StorageError`` of kind `noSpace` for an image larger than the slot,
    ///   `invalidArgument` for an empty one, `wrongState` before ``boot()``, while the running
    ///   image is unconfirmed, and while another image waits for its test; `storageFailure`,
    ///   `powerLost`.
    public mutating func beginImage(
        _ image: ImageIdentity, restart: Bool = false
    ) throws(StorageError) -> UploadStart {
        let running = try requireRunning()
        try requireRoom(for: image.length)
        var record = try requireBootRecord()
        if !restart {
            if record[running] == image { return .running }
            if record[running.other] == image { return .complete }
        }
        try requireConfirmed(running, record)
        guard restart || record.trial != .pending else {
            throw StorageError(
                .wrongState, what: "The upload cannot begin",
                why: "another image waits in the slot for its test at the next boot",
                advice: "Boot it, or ask for a restart to give it up")
        }
        if record[running.other] != nil {
            upload = nil
            record[running.other] = nil
            record.trial = .none
            try append(record, "giving up the image in the inactive slot")
        }
        return .upload(from: try openUpload(image, in: running.other, restart: restart))
    }

    private mutating func openUpload(
        _ image: ImageIdentity, in slot: FirmwareSlot, restart: Bool
    ) throws(StorageError) -> Int {
        if !restart, let held = try progress(in: slot), held.image == image {
            if upload?.image != image { upload = Upload(image: image, erasedEnd: nil) }
            return held.durableOffset
        }
        upload = nil
        let fresh = ProgressRecord(slot: slot, image: image, durableOffset: 0, isRescuing: false)
        try attempt("beginning the upload") { (slots) throws(FlashError) in
            try slots.journal.append(fresh, to: &slots.flash)
        }
        upload = Upload(image: image, erasedEnd: nil)
        return 0
    }

    /// Adds bytes to the upload. When this returns they are in the flash, read back, and durable.
    ///
    /// The sectors that the bytes reach are erased just before.
    /// - Parameters:
    ///   - bytes: At least one. A multiple of the program unit, except where they end the image:
    ///     the rest of the last unit is padded with the erased value.
    ///   - offset: The durable offset.
    /// - Returns: The new durable offset.
    /// - Throws: ``StorageError`` of kind `wrongState` when no upload is open, `invalidArgument`
    ///   for an offset or a length that does not fit, `storageFailure` (begin the image again and
    ///   go on from there: the durable offset is the old one or, if only the last read-back failed,
    ///   the new one), `powerLost`.
    @discardableResult
    public mutating func write(
        _ bytes: UnsafeRawBufferPointer, at offset: Int
    ) throws(StorageError) -> Int {
        var progress = try requireUpload()
        try requireFit(bytes.count, at: offset, progress)
        let erasedEnd = upload?.erasedEnd
        upload?.erasedEnd = nil
        let newEnd = try attempt("writing the image at offset \(offset)") {
            (slots) throws(FlashError) in
            let cleanEnd = try slots.prepare(progress, erasedEnd: erasedEnd)
            let newEnd = try slots.erase(progress.slot, from: cleanEnd, to: offset + bytes.count)
            try slots.programPadded(bytes, at: slots.layout.address(of: progress.slot) + offset)
            progress.durableOffset = offset + bytes.count
            progress.isRescuing = false
            try slots.journal.append(progress, to: &slots.flash)
            return newEnd
        }
        upload?.erasedEnd = newEnd
        return progress.durableOffset
    }

    /// Adds bytes to the upload, as ``write(_:at:)`` does with a buffer.
    @discardableResult
    public mutating func write(_ bytes: [UInt8], at offset: Int) throws(StorageError) -> Int {
        try bytes.withBytes { (buffer) throws(StorageError) in try write(buffer, at: offset) }
    }

    /// Reads the whole image back and, if its digest is the announced one, makes it bootable.
    ///
    /// With another digest the image never becomes bootable, and its progress is given up.
    /// - Throws: ``StorageError`` of kind `digestMismatch`; `wrongState` when no upload is open or
    ///   bytes are missing; `storageFailure` (finish again), `powerLost`.
    public mutating func finishImage() throws(StorageError) {
        let progress = try requireUpload()
        guard let image = progress.image, progress.durableOffset == image.length else {
            throw StorageError(
                .wrongState, what: "The image cannot be finished",
                why: "it is durable up to offset \(progress.durableOffset) only",
                advice: "Send the rest")
        }
        let found = try digest(of: progress.slot, length: image.length)
        guard found == image.sha256 else { throw try giveUp(progress, found: found) }
        var record = try requireBootRecord()
        record[progress.slot] = image
        record.trial = .none
        try append(record, "recording the verified image")
        upload = nil
    }

    private mutating func giveUp(
        _ progress: ProgressRecord, found: ContentDigest
    ) throws(StorageError) -> StorageError {
        let nothing = ProgressRecord(
            slot: progress.slot, image: nil, durableOffset: 0, isRescuing: false)
        upload = nil
        try attempt("giving up the image") { (slots) throws(FlashError) in
            try slots.journal.append(nothing, to: &slots.flash)
        }
        return StorageError(
            .digestMismatch, what: "The image was refused",
            why: "its SHA-256 in the flash is \(found), not the announced one",
            advice: "Check the file and send it again from the start")
    }
}

// MARK: What is refused

extension FirmwareSlots {
    func requireRoom(for length: Int) throws(StorageError) {
        guard length > 0 else {
            throw StorageError(
                .invalidArgument, what: "The image was refused", why: "it is empty",
                advice: "Check the file")
        }
        guard length <= layout.slotSize else {
            throw StorageError(
                .noSpace, what: "The image was refused",
                why: "it has \(length) bytes and a slot has \(layout.slotSize)",
                advice: "Build a smaller image, or one for this device")
        }
    }

    /// The progress of the open upload.
    mutating func requireUpload() throws(StorageError) -> ProgressRecord {
        let running = try requireRunning()
        guard let upload, let progress = try progress(in: running.other),
            progress.image == upload.image
        else {
            throw StorageError(
                .wrongState, what: "The bytes were refused", why: "no upload is open",
                advice: "Begin the image again and go on from the offset that the device answers")
        }
        return progress
    }

    private func requireFit(
        _ count: Int, at offset: Int, _ progress: ProgressRecord
    ) throws(StorageError) {
        let length = progress.image?.length ?? 0
        let durable = progress.durableOffset
        let unit = layout.geometry.programUnit
        let why: String
        if offset != durable {
            why = "they are for offset \(offset) and the durable offset is \(durable)"
        } else if count < 1 || count > length - durable {
            why = "there are \(count) of them and the image needs 1 to \(length - durable)"
        } else if !count.isMultiple(of: unit), durable + count != length {
            why = "there are \(count) of them, which is no multiple of the program unit \(unit)"
        } else {
            return
        }
        throw StorageError(
            .invalidArgument, what: "The bytes were refused", why: why,
            advice: "Go on from offset \(durable), in multiples of \(unit) bytes")
    }
}

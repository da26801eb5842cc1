/// What a slot holds, for the list that the device answers.
public struct SlotState: Hashable, Sendable {
    /// How far an upload into the slot has come.
    public struct Partial: Hashable, Sendable {
        /// The image that is being uploaded.
        public let image: ImageIdentity
        /// Bytes of it that are durable.
        public let durableOffset: Int
    }

    /// Which slot.
    public let slot: FirmwareSlot
    /// Bytes that fit.
    public let capacity: Int
    /// The verified, bootable image; `nil` if there is none.
    public let image: ImageIdentity?
    /// The unfinished upload; `nil` if there is none.
    public let partial: Partial?
    /// The image runs.
    public let isActive: Bool
    /// The image is the permanent one: it runs at the next boot unless another one is pending.
    public let isConfirmed: Bool
    /// The image runs at the next boot, for a test.
    public let isPending: Bool
    /// The image was tested and not confirmed.
    public let isReverted: Bool

    /// The image has its digest and can be booted.
    public var isVerified: Bool { image != nil }
}

extension FirmwareSlots {
    /// The state of slot A and of slot B, in this order.
    /// - Throws: ``StorageError`` of kind `wrongState` before ``boot()``, `storageFailure`,
    ///   `powerLost`.
    public mutating func slots() throws(StorageError) -> [SlotState] {
        let running = try requireRunning()
        let record = try requireBootRecord()
        let progress = try progress(in: running.other)
        return FirmwareSlot.allCases.map { slot in
            var partial: SlotState.Partial?
            if slot != running, record[slot] == nil, let progress, let image = progress.image {
                partial = SlotState.Partial(image: image, durableOffset: progress.durableOffset)
            }
            let isCandidate = slot != record.permanent
            return SlotState(
                slot: slot, capacity: layout.slotSize, image: record[slot], partial: partial,
                isActive: slot == running, isConfirmed: !isCandidate,
                isPending: isCandidate && record.trial == .pending,
                isReverted: isCandidate && record.trial == .reverted)
        }
    }

    /// Puts a first image into slot A of a device that has none, and makes it permanent: the
    /// factory's step.
    /// - Throws: ``StorageError`` of kind `notPermitted` on a device that has firmware, `noSpace`,
    ///   `invalidArgument`, `storageFailure`, `powerLost`.
    public mutating func provision(_ bytes: [UInt8]) throws(StorageError) {
        try requireRoom(for: bytes.count)
        try attempt("reading the boot record") { (slots) throws(FlashError) in
            try slots.bootLog.load(&slots.flash)
        }
        guard bootLog.latest == nil else {
            throw StorageError(
                .notPermitted, what: "The device cannot be provisioned",
                why: "it has firmware already", advice: "Upload an image instead")
        }
        var digester = Digester()
        bytes.withUnsafeBytes { digester.update($0) }
        let image = ImageIdentity(length: bytes.count, sha256: digester.finish())
        try attempt("programming the first image") { (slots) throws(FlashError) in
            _ = try slots.erase(.a, from: 0, to: bytes.count)
            try bytes.withBytes { (buffer) throws(FlashError) in
                try slots.programPadded(buffer, at: slots.layout.address(of: .a))
            }
        }
        try append(
            BootRecord(permanent: .a, trial: .none, imageA: image), "recording the first image")
    }
}

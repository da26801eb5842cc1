/// Two slots of firmware in one flash: uploads that survive power cuts, and a bootloader that
/// tries, confirms and reverts.
///
/// The device runs each image from the slot it lies in; nothing is swapped. An upload goes to the
/// slot that does not run.
///
/// Invariants, at every byte at which the power may fail, whatever the cut leaves there:
/// - ``boot()`` starts the permanent image or a verified one that was marked for a test, whole.
/// - The durable offset of an upload never claims a byte that does not read back as it was sent,
///   and falls at most one ``write(_:at:)`` behind what was reported.
/// - A slot is erased only after every record that speaks of its content is gone.
///
/// ```
///   beginImage ─► write … write ─► finishImage ─► markForTest ─► (reset) boot ─► confirm
///        ▲            │  digest differs │               │  not confirmed │
///        └────────────┴──── resume ─────┘◄── restart ───┘◄─── revert ────┘
/// ```
///
/// Every operation is synchronous; what it would have taken on the chip adds up in the flash's
/// `elapsedMicroseconds`. After an error of kind `powerLost` everything but the flash is forgotten:
/// power the flash on and ``boot()``. After any other error the call can be repeated; a
/// ``write(_:at:)`` after asking ``beginImage(_:restart:)`` where to go on.
///
/// A value when the flash's medium is one: a copy is a snapshot of the whole device.
public struct FirmwareSlots<Medium: FlashMedium, Digester: SHA256Digester>: Sendable {
    /// The chip. Faults are planned here, and costs and counters read.
    public var flash: FlashModel<Medium>
    /// Where everything lies in the flash.
    public let layout: FirmwareLayout
    /// The slot that runs; `nil` before ``boot()``.
    public internal(set) var running: FirmwareSlot?

    var bootLog: RecordLog<BootRecord>
    var journal: RecordLog<ProgressRecord>
    var upload: Upload?

    /// An upload that is under way.
    struct Upload: Sendable {
        var image: ImageIdentity
        /// The slot's bytes from the durable offset up to here are erased and untouched; `nil` when
        /// that is not known, as after a power-up or a failure.
        var erasedEnd: Int?
    }

    /// Bytes that are read at once where a whole image is read.
    static var chunkSize: Int { 16 * 1024 }

    /// The slots in a flash. Nothing is read before ``boot()`` or ``provision(_:)``.
    /// - Precondition: the layout is one for this flash.
    public init(flash: FlashModel<Medium>, layout: FirmwareLayout) {
        precondition(flash.geometry == layout.geometry, "the layout is one for another flash")
        self.flash = flash
        self.layout = layout
        bootLog = RecordLog(firstSector: layout.bootSector)
        journal = RecordLog(firstSector: layout.journalSector)
    }

    /// The slot that uploads go to; `nil` before ``boot()``.
    public var inactive: FirmwareSlot? { running?.other }

    /// Drops all that a reset drops.
    mutating func forget() {
        running = nil
        upload = nil
        bootLog.forget()
        journal.forget()
    }

    /// Runs a piece of work on the flash and puts its error into the storage's words.
    mutating func attempt<Value>(
        _ action: String, _ work: (inout Self) throws(FlashError) -> Value
    ) throws(StorageError) -> Value {
        do throws(FlashError) {
            return try work(&self)
        } catch {
            if error == .powerLost { forget() }
            throw StorageError(error, while: action)
        }
    }

    /// The slot that runs.
    func requireRunning() throws(StorageError) -> FirmwareSlot {
        guard let running else {
            throw StorageError(
                .wrongState, what: "The device is not running", why: "it was not booted",
                advice: "Boot it first")
        }
        return running
    }

    /// The latest boot record.
    mutating func requireBootRecord() throws(StorageError) -> BootRecord {
        try attempt("reading the boot record") { (slots) throws(FlashError) in
            try slots.bootLog.load(&slots.flash)
        }
        guard let record = bootLog.latest else {
            throw StorageError(
                .notFound, what: "There is no boot record", why: "the device has no firmware yet",
                advice: "Provision it with a first image")
        }
        let lengths = FirmwareSlot.allCases.map { record[$0]?.length ?? 0 }
        guard lengths.allSatisfy({ $0 <= layout.slotSize }) else {
            throw StorageError(
                .corrupt, what: "The boot record cannot be used",
                why: "it tells of an image larger than a slot",
                advice: "Use the layout that the device was made with")
        }
        return record
    }

    /// Makes a boot record the latest one.
    mutating func append(_ record: BootRecord, _ action: String) throws(StorageError) {
        try attempt(action) { (slots) throws(FlashError) in
            try slots.bootLog.append(record, to: &slots.flash)
        }
    }

    /// The progress of whatever lies in the inactive slot; `nil` if there is nothing.
    mutating func progress(in slot: FirmwareSlot) throws(StorageError) -> ProgressRecord? {
        try attempt("reading the progress record") { (slots) throws(FlashError) in
            try slots.journal.load(&slots.flash)
        }
        guard let record = journal.latest, record.slot == slot, let image = record.image,
            image.length <= layout.slotSize
        else { return nil }
        return record
    }
}

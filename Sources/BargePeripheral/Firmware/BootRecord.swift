/// All that the bootloader knows: which slot is permanent, which verified image each slot holds,
/// and what is to become of the image in the other slot.
///
/// One record holds the whole state, so that one append changes all of it at once.
struct BootRecord: Hashable, Sendable {
    /// What is to become of the verified image in the slot that is not permanent.
    enum Trial: UInt8, Hashable, Sendable {
        /// Nothing: it lies there, or there is none.
        case none = 0
        /// It runs at the next boot.
        case pending = 1
        /// It was started and nobody has confirmed it yet.
        case running = 2
        /// It was started and not confirmed before the next boot.
        case reverted = 3
    }

    /// The slot that runs unless a trial says otherwise.
    var permanent: FirmwareSlot
    /// The state of the other slot's image.
    var trial: Trial
    /// The verified image in slot A.
    var imageA: ImageIdentity?
    /// The verified image in slot B.
    var imageB: ImageIdentity?

    /// The verified image in a slot.
    subscript(slot: FirmwareSlot) -> ImageIdentity? {
        get { slot == .a ? imageA : imageB }
        set { if slot == .a { imageA = newValue } else { imageB = newValue } }
    }
}

extension BootRecord: LoggedRecord {
    static let magic: UInt32 = 0x3142_5442  // "BTB1"
    /// Two flags, two bytes kept for later, and two images of 36 bytes.
    static let payloadSize = 4 + 2 * 36

    func write(to writer: inout RecordWriter) {
        writer.write(permanent.rawValue)
        writer.write(trial.rawValue)
        writer.write(UInt16(0))
        writer.write(imageA)
        writer.write(imageB)
    }

    init?(from reader: inout RecordReader) {
        guard let permanent = FirmwareSlot(rawValue: reader.read(UInt8.self)),
            let trial = Trial(rawValue: reader.read(UInt8.self))
        else { return nil }
        _ = reader.read(UInt16.self)
        self.init(
            permanent: permanent, trial: trial, imageA: reader.readImage(),
            imageB: reader.readImage())
        guard self[permanent] != nil, trial == .none || self[permanent.other] != nil else {
            return nil
        }
    }
}

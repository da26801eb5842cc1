/// The types of frames, by number.
public enum FrameType: UInt8, Sendable {
    /// Both sides' first frame.
    case hello = 0x01
    /// Something went wrong; see ``ErrorMessage``.
    case error = 0x02
    /// The sender sends nothing more.
    case fin = 0x03
    /// The device is at work.
    case busy = 0x04
    /// Send the same bytes back.
    case echo = 0x05
    /// The same bytes.
    case echoed = 0x06
    /// The host wants to write an object.
    case write = 0x10
    /// From where the device takes it.
    case writeReady = 0x11
    /// All is sent: verify it.
    case commit = 0x12
    /// It is verified.
    case committed = 0x13
    /// The host wants to read an object.
    case read = 0x14
    /// What there is to read.
    case readReady = 0x15
    /// All was sent.
    case readEnd = 0x16
    /// The receiver of blocks has so much.
    case acknowledge = 0x17
    /// The host gives the open request up.
    case cancel = 0x18
    /// It is given up.
    case canceled = 0x19
    /// A block as it is.
    case storedBlock = 0x20
    /// A block deflated.
    case deflatedBlock = 0x21
    /// The host wants names.
    case list = 0x30
    /// One name.
    case entry = 0x31
    /// The end of the names.
    case listed = 0x32
    /// The host wants to know one file.
    case stat = 0x33
    /// One file.
    case stated = 0x34
    /// The host wants a file gone.
    case remove = 0x35
    /// It is gone.
    case removed = 0x36
    /// The host wants to know the slots.
    case images = 0x40
    /// The slots.
    case imageStates = 0x41
    /// Start an image once at the next reset.
    case test = 0x42
    /// Keep the running image.
    case confirm = 0x43
    /// Reset.
    case reset = 0x44
    /// About to reset.
    case resetting = 0x45

    /// From here on an unknown type is skipped rather than refused (BTP-032).
    public static let firstOptional: UInt8 = 0x80

    /// The frame that ends the request of this type; nil where this is no request.
    var lastAnswer: FrameType? {
        switch self {
        case .echo: .echoed
        case .write: .committed
        case .read: .readEnd
        case .list: .listed
        case .stat: .stated
        case .remove: .removed
        case .images, .test, .confirm: .imageStates
        case .reset: .resetting
        case .hello, .error, .fin, .busy, .echoed, .writeReady, .commit, .committed, .readReady,
            .readEnd, .acknowledge, .cancel, .canceled, .storedBlock, .deflatedBlock, .entry,
            .listed, .stated, .removed, .imageStates, .resetting:
            nil
        }
    }
}

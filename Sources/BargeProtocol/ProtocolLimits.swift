/// The bounds of version 1. Every length and count that a peer sends is held against one of them
/// before anything is copied.
public enum ProtocolLimits {
    /// The one version there is (BTP-041).
    public static let version: UInt8 = 1
    /// Type, tag and body length.
    public static let headerBytes = 4
    /// The CRC-32 behind the body.
    public static let checkBytes = 4
    /// The longest body before the receiver's HELLO (BTP-031).
    public static let helloBodyBytes = 255
    /// The longest body that any side may announce.
    public static let bodyBytes: ClosedRange<UInt16> = 320...65535
    /// Raw bytes of a block; powers of two (HELLO field 0x02).
    public static let blockBytes: ClosedRange<UInt16> = 256...32768
    /// Offset and raw length in front of a block's bytes.
    public static let blockHeaderBytes = 8
    /// Base-2 logarithm of a deflate window (HELLO fields 0x03 and 0x04).
    public static let windowBits: ClosedRange<UInt8> = 9...15
    /// Bytes of a serial, a model, or a software's name in HELLO.
    public static let labelBytes = 32
    /// Bytes of a file's name (BTP-080).
    public static let nameBytes = 255
    /// Bytes of an error's text (BTP-101).
    public static let errorTextBytes = 120
    /// Slots in IMAGE_STATES (BTP-090).
    public static let slotCount = 4
    /// Entries between LIST and LISTED (BTP-081).
    public static let entriesPerList = 32
    /// The largest offset that a block can carry.
    public static let maximumOffset: UInt64 = 0xFFFF_FFFF_FFFF
    /// The length in READ that means everything (BTP-070).
    public static let wholeLength = UInt64.max
    /// How long a side waits for an answer before it gives the pipe up (BTP-047), in ms.
    public static let patienceMilliseconds = 10_000
    /// How often a device that works says so at least (BTP-047), in ms.
    public static let busyIntervalMilliseconds = 2_000
}

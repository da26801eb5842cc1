/// What the caller wants of the parser, and the bounds within which it works.
public struct ParseOptions: Sendable, Equatable {
    /// The largest file that is looked at, in bytes: 64 MiB, more than any microcontroller holds.
    public static let largestFileByteCount = 64 << 20

    /// The value of an erased flash byte; it fills the gaps of HEX, UF2 and ELF files.
    public var erasedValue: UInt8 = 0xFF

    /// The largest gap that is filled, in bytes. A larger one means that the file holds two
    /// regions.
    public var largestGapByteCount = 16 << 20

    /// The largest flattened payload, in bytes.
    public var largestPayloadByteCount = 64 << 20

    /// Only what lies in this range of addresses is taken from a HEX, UF2 or ELF file.
    ///
    /// For files that also carry a bootloader, fuses or configuration words far from the image.
    public var addressRange: Range<UInt64>?

    /// The UF2 family to take when a file carries several of them.
    public var uf2FamilyID: UInt32?

    /// What the file claims to be, by its name for instance. A file that turns out to be something
    /// else is refused, so that a damaged HEX file is not taken for a raw binary.
    public var expectedFormat: ImageFormat?

    /// The defaults: erased flash reads as 0xFF, gaps up to 16 MiB, payloads up to 64 MiB.
    public init() {}
}

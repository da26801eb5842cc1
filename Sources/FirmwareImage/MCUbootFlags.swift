/// The flags of an MCUboot header (`IMAGE_F_…` in MCUboot's `image.h`).
public struct MCUbootFlags: OptionSet, Sendable, Hashable {
    /// The flags as the header stores them; unknown bits are kept.
    public let rawValue: UInt32

    /// Flags as the header stores them.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Position-independent code.
    public static let positionIndependent = MCUbootFlags(rawValue: 0x0001)
    /// The body is encrypted with AES-128 in counter mode.
    public static let encryptedAES128 = MCUbootFlags(rawValue: 0x0004)
    /// The body is encrypted with AES-256 in counter mode.
    public static let encryptedAES256 = MCUbootFlags(rawValue: 0x0008)
    /// Not an image to jump to: data, or the image of another core.
    public static let nonBootable = MCUbootFlags(rawValue: 0x0010)
    /// Copied to RAM, to the load address, before it runs.
    public static let ramLoad = MCUbootFlags(rawValue: 0x0020)
    /// Runs only at the address that the header gives.
    public static let romFixed = MCUbootFlags(rawValue: 0x0100)
    /// The body is compressed with LZMA1.
    public static let compressedLZMA1 = MCUbootFlags(rawValue: 0x0200)
    /// The body is compressed with LZMA2.
    public static let compressedLZMA2 = MCUbootFlags(rawValue: 0x0400)
    /// The body went through the ARM-Thumb filter before it was compressed.
    public static let armThumbFilter = MCUbootFlags(rawValue: 0x0800)

    private static let names: [(flag: MCUbootFlags, name: String)] = [
        (.positionIndependent, "PIC"),
        (.encryptedAES128, "ENCRYPTED_AES128"),
        (.encryptedAES256, "ENCRYPTED_AES256"),
        (.nonBootable, "NON_BOOTABLE"),
        (.ramLoad, "RAM_LOAD"),
        (.romFixed, "ROM_FIXED"),
        (.compressedLZMA1, "COMPRESSED_LZMA1"),
        (.compressedLZMA2, "COMPRESSED_LZMA2"),
        (.armThumbFilter, "COMPRESSED_ARM_THUMB"),
    ]

    /// The names of the flags that are set, as `imgtool dumpinfo` spells them; bits without a name
    /// come last, as one hexadecimal number.
    public var flagNames: [String] {
        var unnamed = rawValue
        var result: [String] = []
        for (flag, name) in Self.names where contains(flag) {
            result.append(name)
            unnamed &= ~flag.rawValue
        }
        if unnamed != 0 { result.append(hexadecimal(unnamed)) }
        return result
    }

    /// Whether the body is encrypted, so that nothing but the device can check its hash.
    public var isEncrypted: Bool { !isDisjoint(with: [.encryptedAES128, .encryptedAES256]) }

    /// Whether the body is compressed; the device unpacks it.
    public var isCompressed: Bool { !isDisjoint(with: [.compressedLZMA1, .compressedLZMA2]) }
}

/// One record of an MCUboot image's type-length-value areas, which lie behind the body.
public struct MCUbootTLV: Sendable, Equatable {
    /// What the record holds.
    public let type: MCUbootTLVType
    /// Whether hash and signature cover the record.
    public let isProtected: Bool
    /// The offset of the value in the payload, in bytes.
    public let valueOffset: Int
    /// The value; at most 65,531 bytes, since the whole area counts its length in 16 bits.
    public let value: [UInt8]
}

/// The type of a TLV record (`IMAGE_TLV_…` in MCUboot's `image.h`).
///
/// The vendor and class identifiers are 0x74 and 0x75 in MCUboot's header file and in `imgtool`,
/// but 0x80 and 0x81 in MCUboot's design document; both are understood.
public struct MCUbootTLVType: RawRepresentable, Sendable, Hashable {
    /// The number that the image stores.
    public let rawValue: UInt16

    /// A type by its number.
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// A type as an image stores it.
    ///
    /// MCUboot's types were 8 bits and a byte of filling once, and `imgtool` still writes its own
    /// types that way, so that in a big-endian image they stand in the upper half of the 16 bits.
    init(stored: UInt16, order: ByteOrder) {
        let upper = MCUbootTLVType(rawValue: stored >> 8)
        let isUpper = order == .big && stored & 0xFF == 0 && upper.name != nil
        self = isUpper ? upper : MCUbootTLVType(rawValue: stored)
    }

    /// Digest of the public key whose signature follows.
    public static let keyHash = MCUbootTLVType(rawValue: 0x01)
    /// The whole public key whose signature follows.
    public static let publicKey = MCUbootTLVType(rawValue: 0x02)
    /// SHA-256 of header, body and protected TLVs.
    public static let sha256 = MCUbootTLVType(rawValue: 0x10)
    /// SHA-384 of header, body and protected TLVs.
    public static let sha384 = MCUbootTLVType(rawValue: 0x11)
    /// SHA-512 of header, body and protected TLVs.
    public static let sha512 = MCUbootTLVType(rawValue: 0x12)
    /// RSA-2048 signature, PSS padding.
    public static let rsa2048 = MCUbootTLVType(rawValue: 0x20)
    /// ECDSA signature over P-224; obsolete.
    public static let ecdsa224 = MCUbootTLVType(rawValue: 0x21)
    /// ECDSA signature over P-256, or over P-384 where the image is hashed with SHA-384.
    public static let ecdsa = MCUbootTLVType(rawValue: 0x22)
    /// RSA-3072 signature, PSS padding.
    public static let rsa3072 = MCUbootTLVType(rawValue: 0x23)
    /// Ed25519 signature.
    public static let ed25519 = MCUbootTLVType(rawValue: 0x24)
    /// Says that the signature covers the image itself instead of its digest.
    public static let pureSignature = MCUbootTLVType(rawValue: 0x25)
    /// The image with which this one depends on another: image index and lowest version.
    public static let dependency = MCUbootTLVType(rawValue: 0x40)
    /// The counter against downgrades.
    public static let securityCounter = MCUbootTLVType(rawValue: 0x50)
    /// Identifier of the vendor.
    public static let vendorID = MCUbootTLVType(rawValue: 0x74)
    /// Identifier of the class of devices.
    public static let classID = MCUbootTLVType(rawValue: 0x75)
    /// Identifier of the vendor by the number in MCUboot's design document.
    public static let vendorIDByDesignDocument = MCUbootTLVType(rawValue: 0x80)
    /// Identifier of the class of devices by the number in MCUboot's design document.
    public static let classIDByDesignDocument = MCUbootTLVType(rawValue: 0x81)

    /// The name that `imgtool dumpinfo` prints, `nil` for a number that MCUboot does not define.
    public var name: String? {
        switch rawValue {
        case 0x01: "KEYHASH"
        case 0x02: "PUBKEY"
        case 0x10: "SHA256"
        case 0x11: "SHA384"
        case 0x12: "SHA512"
        case 0x20: "RSA2048"
        case 0x21: "ECDSA224"
        case 0x22: "ECDSASIG"
        case 0x23: "RSA3072"
        case 0x24: "ED25519"
        case 0x25: "SIG_PURE"
        case 0x30: "ENCRSA2048"
        case 0x31: "ENCKW"
        case 0x32: "ENCEC256"
        case 0x33: "ENCX25519"
        case 0x34: "ENCX25519_SHA512"
        case 0x40: "DEPENDENCY"
        case 0x50: "SEC_CNT"
        case 0x60: "BOOT_RECORD"
        case 0x70: "DECOMP_SIZE"
        case 0x71: "DECOMP_SHA"
        case 0x72: "DECOMP_SIGNATURE"
        case 0x73: "COMP_DEC_SIZE"
        case 0x74, 0x80: "UUID_VID"
        case 0x75, 0x81: "UUID_CID"
        default: nil
        }
    }

    /// Whether the record holds the key of the body, encrypted for the device (`IMAGE_TLV_ENC_…`).
    public var isEncryptedKey: Bool { (0x30...0x34).contains(rawValue) }

    /// The digest algorithm of a hash record, `nil` for any other record.
    public var digestAlgorithm: DigestAlgorithm? {
        switch self {
        case .sha256: .sha256
        case .sha384: .sha384
        case .sha512: .sha512
        default: nil
        }
    }
}

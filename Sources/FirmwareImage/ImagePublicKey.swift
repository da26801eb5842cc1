/// A public key with which images are verified.
public struct ImagePublicKey: Sendable, Equatable {
    /// The kinds of key that MCUboot verifies signatures with.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// ECDSA over NIST's curve P-256.
        case ecdsaP256 = "ECDSA-P256"
        /// ECDSA over NIST's curve P-384.
        case ecdsaP384 = "ECDSA-P384"
        /// Ed25519.
        case ed25519 = "Ed25519"
        /// RSA with a modulus of 2048 bits.
        case rsa2048 = "RSA-2048"
        /// RSA with a modulus of 3072 bits.
        case rsa3072 = "RSA-3072"
    }

    /// The kind of key.
    public let kind: Kind
    /// The key as an X.509 SubjectPublicKeyInfo in DER (RFC 5280, 4.1.2.7).
    public let subjectPublicKeyInfo: [UInt8]
    /// The key in the DER form of which MCUboot stores the digest in a KEYHASH record: PKCS #1
    /// (RFC 8017, A.1.1) for RSA, the SubjectPublicKeyInfo for all others.
    public let imageEncoding: [UInt8]
    /// Whether the file held a private key, which has no business on a bench.
    public let isFromPrivateKey: Bool

    /// A key out of its parts, for implementations of `ImageCryptography`.
    public init(
        kind: Kind, subjectPublicKeyInfo: [UInt8], imageEncoding: [UInt8], isFromPrivateKey: Bool
    ) {
        self.kind = kind
        self.subjectPublicKeyInfo = subjectPublicKeyInfo
        self.imageEncoding = imageEncoding
        self.isFromPrivateKey = isFromPrivateKey
    }
}

/// Why a file cannot be taken for a public key.
public enum PublicKeyProblem: Error, Equatable, Sendable {
    /// The largest key file that is looked at, in bytes.
    public static let largestFileByteCount = 64 << 10

    /// The file has no bytes.
    case empty
    /// The file is longer than any key.
    case tooLarge(byteCount: Int)
    /// The file is not a key in PEM or DER.
    case notAKey
    /// A private key under a password.
    case passwordProtected
    /// A key of a kind that signs no MCUboot images, by its name.
    case unsupported(String)
    /// The library failed.
    case failure(CryptographyFailure)

    /// What is wrong, why, and what to do next.
    public var explanation: Explanation {
        switch self {
        case .empty:
            Self.explain("The key file is empty.", "There is no key in it.")
        case .tooLarge(let byteCount):
            Self.explain(
                "The key file has \(byteCount) bytes, more than \(Self.largestFileByteCount).",
                "No key is that long.")
        case .notAKey:
            Self.explain(
                "The key file is not readable.",
                "It is neither PEM (\"-----BEGIN PUBLIC KEY-----\") nor DER.")
        case .passwordProtected:
            Self.explain(
                "The key file is a private key under a password.",
                "Verifying takes only the public half.")
        case .unsupported(let name):
            Self.explain(
                "The key is of a kind that does not verify images: \(name).",
                "MCUboot knows ECDSA over P-256 and P-384, Ed25519, RSA-2048 and RSA-3072.")
        case .failure(let failure): failure.explanation
        }
    }

    private static func explain(_ error: String, _ reason: String) -> Explanation {
        Explanation(
            error: error, reason: reason,
            advice: "Write the public key with `imgtool getpub -k KEY.pem --encoding pem`.")
    }
}

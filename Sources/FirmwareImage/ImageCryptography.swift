/// The cryptography that checking an image takes; it comes from outside, from an audited library.
public protocol ImageCryptography: Sendable {
    /// The digest of some bytes.
    func digest(_ bytes: RawSpan, by algorithm: DigestAlgorithm) throws(CryptographyFailure)
        -> [UInt8]

    /// Reads a public key out of the bytes of a PEM or DER file.
    func publicKey(from file: [UInt8]) throws(PublicKeyProblem) -> ImagePublicKey

    /// Whether an ECDSA (DER-encoded) or RSA-PSS signature belongs to a digest and a key.
    ///
    /// RSA: PSS with MGF1 over the same digest and a salt as long as the digest.
    func isValid(
        signature: [UInt8], digest: [UInt8], algorithm: DigestAlgorithm, key: ImagePublicKey
    ) throws(CryptographyFailure) -> Bool

    /// Whether an Ed25519 signature belongs to a message and a key.
    func isValidEd25519(
        signature: [UInt8], message: RawSpan, key: ImagePublicKey
    ) throws(CryptographyFailure) -> Bool
}

/// The digests that MCUboot images use (FIPS 180-4).
public enum DigestAlgorithm: String, Sendable, Hashable, CaseIterable {
    /// SHA-256, what nearly all images use.
    case sha256 = "SHA-256"
    /// SHA-384, used with ECDSA over P-384.
    case sha384 = "SHA-384"
    /// SHA-512, used with pure Ed25519 and on request.
    case sha512 = "SHA-512"

    /// The length of the digest, in bytes.
    public var byteCount: Int {
        switch self {
        case .sha256: 32
        case .sha384: 48
        case .sha512: 64
        }
    }
}

/// The library of the system failed where it should not have.
public struct CryptographyFailure: Error, Equatable, Sendable, CustomStringConvertible {
    /// What was being done.
    public let operation: String
    /// What the library says.
    public let detail: String

    /// A failure while doing something, with what the library says.
    public init(operation: String, detail: String) {
        self.operation = operation
        self.detail = detail
    }

    /// What is wrong, why, and what to do next.
    public var explanation: Explanation {
        Explanation(
            error: "The system's cryptographic library failed while \(operation).",
            reason: detail.isEmpty ? "It gives no reason." : "It says: \(detail).",
            advice: "Check the installation of OpenSSL and the variable OPENSSL_CONF.")
    }

    /// The explanation on one line.
    public var description: String { explanation.description }
}

import CCrypto
import FirmwareImage

/// The cryptography of `FirmwareImage`, done by OpenSSL's libcrypto.
public struct OpenSSLCryptography: ImageCryptography {
    /// Holds nothing: each call is on its own.
    public init() {}

    /// The digest of some bytes.
    public func digest(
        _ bytes: RawSpan, by algorithm: DigestAlgorithm
    ) throws(CryptographyFailure) -> [UInt8] {
        var result = [UInt8](repeating: 0, count: algorithm.byteCount)
        var byteCount: UInt32 = 0
        let status = bytes.withUnsafeBytes { bytes in
            EVP_Digest(
                bytes.baseAddress, bytes.count, &result, &byteCount, algorithm.method, nil)
        }
        guard status == 1, Int(byteCount) == result.count else {
            throw .latest(while: "computing \(algorithm.rawValue)")
        }
        return result
    }

    /// Reads a public key out of the bytes of a PEM or DER file. A private key gives its public
    /// half.
    public func publicKey(from file: [UInt8]) throws(PublicKeyProblem) -> ImagePublicKey {
        try PublicKeyFile(file).key()
    }

    /// Whether an ECDSA or RSA-PSS signature belongs to a digest and a key.
    public func isValid(
        signature: [UInt8], digest: [UInt8], algorithm: DigestAlgorithm, key: ImagePublicKey
    ) throws(CryptographyFailure) -> Bool {
        let publicKey = try EVPKey(subjectPublicKeyInfo: key.subjectPublicKeyInfo)
        guard let context = EVP_PKEY_CTX_new(publicKey.pointer, nil) else {
            throw .latest(while: "preparing to verify")
        }
        defer { EVP_PKEY_CTX_free(context) }
        guard
            EVP_PKEY_verify_init(context) == 1,
            EVP_PKEY_CTX_set_signature_md(context, algorithm.method) == 1,
            !key.kind.isRSA || Self.choosePSS(context, algorithm)
        else { throw .latest(while: "preparing to verify") }
        let status = EVP_PKEY_verify(
            context, signature, signature.count, digest, digest.count)
        // Zero is a signature that does not fit, less than that one that is not even well-formed.
        ERR_clear_error()
        return status == 1
    }

    /// Whether an Ed25519 signature belongs to a message and a key.
    public func isValidEd25519(
        signature: [UInt8], message: RawSpan, key: ImagePublicKey
    ) throws(CryptographyFailure) -> Bool {
        let publicKey = try EVPKey(subjectPublicKeyInfo: key.subjectPublicKeyInfo)
        guard let context = EVP_MD_CTX_new() else {
            throw .latest(while: "preparing to verify")
        }
        defer { EVP_MD_CTX_free(context) }
        guard EVP_DigestVerifyInit(context, nil, nil, nil, publicKey.pointer) == 1 else {
            throw .latest(while: "preparing to verify")
        }
        let status = message.withUnsafeBytes { message in
            EVP_DigestVerify(
                context, signature, signature.count,
                message.baseAddress?.assumingMemoryBound(to: UInt8.self), message.count)
        }
        ERR_clear_error()
        return status == 1
    }

    /// MCUboot's RSA signatures: PSS, MGF1 over the same digest, a salt as long as the digest.
    private static func choosePSS(_ context: OpaquePointer, _ algorithm: DigestAlgorithm) -> Bool {
        EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PSS_PADDING) == 1
            && EVP_PKEY_CTX_set_rsa_mgf1_md(context, algorithm.method) == 1
            && EVP_PKEY_CTX_set_rsa_pss_saltlen(context, Int32(algorithm.byteCount)) == 1
    }
}

extension DigestAlgorithm {
    fileprivate var method: OpaquePointer? {
        switch self {
        case .sha256: EVP_sha256()
        case .sha384: EVP_sha384()
        case .sha512: EVP_sha512()
        }
    }
}

extension ImagePublicKey.Kind {
    fileprivate var isRSA: Bool {
        switch self {
        case .rsa2048, .rsa3072: true
        case .ecdsaP256, .ecdsaP384, .ed25519: false
        }
    }
}

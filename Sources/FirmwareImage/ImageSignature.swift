/// The kinds of signature that an MCUboot image can carry.
public enum SignatureKind: String, Sendable, Hashable, CaseIterable {
    /// ECDSA over P-256.
    case ecdsaP256 = "ECDSA-P256"
    /// ECDSA over P-384; the image is hashed with SHA-384.
    case ecdsaP384 = "ECDSA-P384"
    /// ECDSA over P-224, which MCUboot no longer knows.
    case ecdsaP224 = "ECDSA-P224"
    /// Ed25519.
    case ed25519 = "Ed25519"
    /// RSA-2048 with PSS padding.
    case rsa2048 = "RSA-2048"
    /// RSA-3072 with PSS padding.
    case rsa3072 = "RSA-3072"
}

/// A signature record together with what the record before it says about the key.
struct ImageSignature {
    enum KeyStatement {
        case digest([UInt8])
        case wholeKey([UInt8])
        case none
    }

    let kind: SignatureKind
    let bytes: [UInt8]
    let key: KeyStatement
}

extension MCUbootImage {
    /// The signatures, each with the key that the records before it name.
    ///
    /// MCUboot remembers the last key record and tries each signature with that key
    /// (`bootutil_img_validate`); only the unprotected area counts.
    var signatures: [ImageSignature] {
        var statement = ImageSignature.KeyStatement.none
        var result: [ImageSignature] = []
        for record in tlvs where !record.isProtected {
            if record.type == .keyHash {
                statement = .digest(record.value)
            } else if record.type == .publicKey {
                statement = .wholeKey(record.value)
            } else if let kind = signatureKind(of: record.type) {
                result.append(ImageSignature(kind: kind, bytes: record.value, key: statement))
            }
        }
        return result
    }

    private func signatureKind(of type: MCUbootTLVType) -> SignatureKind? {
        switch type {
        case .ecdsa: first(.sha384) == nil ? .ecdsaP256 : .ecdsaP384
        case .ecdsa224: .ecdsaP224
        case .ed25519: .ed25519
        case .rsa2048: .rsa2048
        case .rsa3072: .rsa3072
        default: nil
        }
    }

    /// Whether the signature covers the image itself instead of its digest.
    var hasPureSignature: Bool { first(.pureSignature)?.value == [1] }
}

extension ImagePublicKey.Kind {
    /// The kind of signature that a key of this kind makes.
    var signatureKind: SignatureKind {
        switch self {
        case .ecdsaP256: .ecdsaP256
        case .ecdsaP384: .ecdsaP384
        case .ed25519: .ed25519
        case .rsa2048: .rsa2048
        case .rsa3072: .rsa3072
        }
    }
}

extension FirmwareImage {
    /// Verifies the MCUboot image with the public key in a PEM or DER file.
    ///
    /// - Throws: `CryptographyFailure` when the library fails; all else is an outcome.
    public func verify(
        keyFile: [UInt8], using cryptography: some ImageCryptography
    ) throws(CryptographyFailure) -> VerificationOutcome {
        let key: ImagePublicKey
        do {
            key = try cryptography.publicKey(from: keyFile)
        } catch {
            if case .failure(let failure) = error { throw failure }
            return .unreadableKey(error)
        }
        return try verify(key: key, using: cryptography)
    }

    /// Verifies hash and signature of the MCUboot image with a public key.
    ///
    /// - Throws: `CryptographyFailure` when the library fails; all else is an outcome.
    public func verify(
        key: ImagePublicKey, using cryptography: some ImageCryptography
    ) throws(CryptographyFailure) -> VerificationOutcome {
        guard let mcuboot, let hashCheck = try checkHash(using: cryptography) else {
            return .notMCUboot
        }
        switch hashCheck {
        case .mismatch(let algorithm, let stated, let computed):
            return .hashMismatch(algorithm, stated: stated, computed: computed)
        case .encrypted: return .encrypted
        case .absent: return .noHash
        case .matches(let algorithm):
            return try verifySignatures(mcuboot, hashedBy: algorithm, key, using: cryptography)
        }
    }

    private func verifySignatures(
        _ mcuboot: MCUbootImage, hashedBy algorithm: DigestAlgorithm, _ key: ImagePublicKey,
        using cryptography: some ImageCryptography
    ) throws(CryptographyFailure) -> VerificationOutcome {
        let signatures = mcuboot.signatures
        guard !signatures.isEmpty else { return .noSignature }
        let kind = key.kind.signatureKind
        let candidates = signatures.filter { $0.kind == kind }
        guard !candidates.isEmpty else {
            return .keyOfAnotherType(image: signatures.map(\.kind), key: key.kind)
        }
        var outcome: VerificationOutcome?
        for signature in candidates {
            if let other = try digestOfOtherKey(signature, than: key, using: cryptography) {
                let given = try cryptography.digest(
                    key.imageEncoding.span.bytes, by: algorithm)
                outcome =
                    outcome ?? .wrongKey(kind, imageKeyDigest: other, givenKeyDigest: given)
            } else if try isValid(signature, of: mcuboot, algorithm, key, using: cryptography) {
                return .valid(kind)
            } else {
                outcome = .badSignature(kind)
            }
        }
        return outcome ?? .badSignature(kind)
    }

    /// The digest of the key that a signature names, if that is not the given one.
    private func digestOfOtherKey(
        _ signature: ImageSignature, than key: ImagePublicKey,
        using cryptography: some ImageCryptography
    ) throws(CryptographyFailure) -> [UInt8]? {
        switch signature.key {
        case .none: return nil
        case .digest(let stated):
            let algorithm = DigestAlgorithm.allCases.first { $0.byteCount == stated.count }
            guard let algorithm else { return stated }
            let given = try cryptography.digest(key.imageEncoding.span.bytes, by: algorithm)
            return given == stated ? nil : stated
        case .wholeKey(let stated):
            if stated == key.imageEncoding { return nil }
            return try cryptography.digest(stated.span.bytes, by: .sha256)
        }
    }

    private func isValid(
        _ signature: ImageSignature, of mcuboot: MCUbootImage, _ algorithm: DigestAlgorithm,
        _ key: ImagePublicKey, using cryptography: some ImageCryptography
    ) throws(CryptographyFailure) -> Bool {
        switch key.kind {
        case .ed25519:
            // MCUboot signs the digest as if it were the message, unless a record says otherwise.
            if mcuboot.hasPureSignature {
                return try cryptography.isValidEd25519(
                    signature: signature.bytes,
                    message: payload.span.bytes.extracting(
                        first: mcuboot.header.hashedByteCount), key: key)
            }
            let digest = try digestOfHashedBytes(mcuboot, algorithm, using: cryptography)
            return try cryptography.isValidEd25519(
                signature: signature.bytes, message: digest.span.bytes, key: key)
        case .ecdsaP256, .ecdsaP384:
            let algorithm = key.kind == .ecdsaP384 ? DigestAlgorithm.sha384 : .sha256
            return try cryptography.isValid(
                signature: Self.withoutPadding(signature.bytes),
                digest: digestOfHashedBytes(mcuboot, algorithm, using: cryptography),
                algorithm: algorithm, key: key)
        case .rsa2048, .rsa3072:
            return try cryptography.isValid(
                signature: signature.bytes,
                digest: digestOfHashedBytes(mcuboot, .sha256, using: cryptography),
                algorithm: .sha256, key: key)
        }
    }

    /// `imgtool sign --pad-sig` fills ECDSA signatures, 70 to 72 bytes of DER, up with zeros.
    private static func withoutPadding(_ signature: [UInt8]) -> [UInt8] {
        guard signature.count >= 2, signature[1] < 0x80 else { return signature }
        return [UInt8](signature.prefix(Int(signature[1]) + 2))
    }
}

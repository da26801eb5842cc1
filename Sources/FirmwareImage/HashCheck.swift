/// Whether an MCUboot image is what was built, by the digest that it states of itself.
public enum HashCheck: Sendable, Equatable {
    /// Every stated digest agrees.
    case matches(DigestAlgorithm)
    /// A stated digest does not agree: the image is damaged.
    case mismatch(DigestAlgorithm, stated: [UInt8], computed: [UInt8])
    /// No record states a digest.
    case absent
    /// The body is encrypted and the digest is that of the plain one: only the device can tell.
    case encrypted(DigestAlgorithm)
}

extension FirmwareImage {
    /// Compares the digests that the MCUboot image states with those of its bytes.
    ///
    /// - Returns: The outcome, `nil` if there is no MCUboot image.
    /// - Throws: `CryptographyFailure` when the library fails.
    public func checkHash(
        using cryptography: some ImageCryptography
    ) throws(CryptographyFailure) -> HashCheck? {
        guard let mcuboot else { return nil }
        var outcome = HashCheck.absent
        for record in mcuboot.hashRecords {
            guard let algorithm = record.type.digestAlgorithm else { continue }
            let computed = try digestOfHashedBytes(mcuboot, algorithm, using: cryptography)
            guard computed == record.value else {
                if mcuboot.isEncrypted { return .encrypted(algorithm) }
                return .mismatch(algorithm, stated: record.value, computed: computed)
            }
            if case .absent = outcome { outcome = .matches(algorithm) }
        }
        return outcome
    }

    /// The digest of header, body and protected TLVs.
    func digestOfHashedBytes(
        _ mcuboot: MCUbootImage, _ algorithm: DigestAlgorithm,
        using cryptography: some ImageCryptography
    ) throws(CryptographyFailure) -> [UInt8] {
        let covered = payload.span.bytes.extracting(first: mcuboot.header.hashedByteCount)
        return try cryptography.digest(covered, by: algorithm)
    }
}

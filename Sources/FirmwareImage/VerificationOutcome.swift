/// What came of verifying an image with a public key.
public enum VerificationOutcome: Sendable, Equatable {
    /// The image is intact and was signed by the owner of the key.
    case valid(SignatureKind)
    /// There is no MCUboot image in the file, hence no signature.
    case notMCUboot
    /// The image does not match its own hash.
    case hashMismatch(DigestAlgorithm, stated: [UInt8], computed: [UInt8])
    /// The image states no hash.
    case noHash
    /// The image is encrypted; its hash, and with it the signature, is that of the plain image.
    case encrypted
    /// The image carries no signature.
    case noSignature
    /// The image was signed by another key of the same kind; digests of both keys.
    case wrongKey(SignatureKind, imageKeyDigest: [UInt8], givenKeyDigest: [UInt8])
    /// The image was signed by keys of other kinds.
    case keyOfAnotherType(image: [SignatureKind], key: ImagePublicKey.Kind)
    /// The signature does not belong to this image and this key.
    case badSignature(SignatureKind)
    /// The key file is not a usable key.
    case unreadableKey(PublicKeyProblem)

    /// Whether the image may be trusted as far as the key is.
    public var isValid: Bool {
        if case .valid = self { return true }
        return false
    }

    /// What came out, why, and what to do next.
    public var explanation: Explanation {
        switch self {
        case .valid(let kind):
            Explanation(
                error: "The image is valid.",
                reason: "Its hash agrees, and its \(kind.rawValue) signature is by this key.",
                advice: "It can be flashed.")
        case .notMCUboot: Self.noImage
        case .noHash: Self.nothingToCompare
        case .encrypted: Self.onlyForTheDevice
        case .noSignature: Self.onlyAHash
        case .hashMismatch(let algorithm, let stated, let computed):
            Explanation(
                error: "The image is damaged.",
                reason: "It states the \(algorithm.rawValue) \(hexadecimal(stated)), and its "
                    + "bytes have \(hexadecimal(computed)).",
                advice: "Copy the file again, or sign the build again.")
        case .wrongKey(let kind, let imageKey, let givenKey):
            Explanation(
                error: "The image was signed by another \(kind.rawValue) key.",
                reason: "It names the key \(hexadecimal(imageKey)), and the digest of the given "
                    + "one is \(hexadecimal(givenKey)).",
                advice: Self.rightKeyAdvice)
        case .keyOfAnotherType(let kinds, let key):
            Explanation(
                error: "The key is of another type than the signature.",
                reason: "The image is signed with "
                    + "\(kinds.map(\.rawValue).joined(separator: " and ")), and the key is "
                    + "\(key.rawValue).",
                advice: Self.rightKeyAdvice)
        case .badSignature(let kind):
            Explanation(
                error: "The \(kind.rawValue) signature is not valid.",
                reason: "It names this key, but does not belong to this image.",
                advice: "Do not flash this image: get it again from where it was signed.")
        case .unreadableKey(let problem): problem.explanation
        }
    }

    private static let rightKeyAdvice =
        "Give the public half of the key that signs this product's builds."

    private static let noImage = Explanation(
        error: "The file carries no signature.",
        reason: "There is no MCUboot image in it.",
        advice: "Sign the build with `imgtool sign`, and use the file that it writes.")

    private static let nothingToCompare = Explanation(
        error: "The image cannot be verified.",
        reason: "It states no hash, and MCUboot refuses such an image.",
        advice: "Sign the build with a current `imgtool`.")

    private static let onlyForTheDevice = Explanation(
        error: "The image cannot be verified here.",
        reason: "It is encrypted, and hash and signature are those of the plain image.",
        advice: "Verify the image before it is encrypted; the device checks it again.")

    private static let onlyAHash = Explanation(
        error: "The image is not signed.",
        reason: "It carries a hash against damage, but no signature.",
        advice: "Sign it with `imgtool sign --key KEY.pem`.")
}

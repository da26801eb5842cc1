internal import CCrypto

/// One run of SHA-256 (FIPS 180-4), by libcrypto: it uses the processor's own instructions.
public final class SHA256 {
    private let context: OpaquePointer

    /// How many bytes a digest has.
    public static let byteCount = 32

    /// Begins a run.
    public init() {
        guard let context = EVP_MD_CTX_new(), EVP_DigestInit_ex(context, EVP_sha256(), nil) == 1
        else { preconditionFailure("libcrypto has no SHA-256 or no memory") }
        self.context = context
    }

    deinit { EVP_MD_CTX_free(context) }

    /// Takes the next bytes in.
    public func update(_ bytes: UnsafeRawBufferPointer) {
        guard EVP_DigestUpdate(context, bytes.baseAddress, bytes.count) == 1 else {
            preconditionFailure("libcrypto broke off")
        }
    }

    /// The digest of all bytes so far; more may follow.
    public var value: [UInt8] {
        guard let copy = EVP_MD_CTX_new() else { preconditionFailure("no memory") }
        defer { EVP_MD_CTX_free(copy) }
        var digest = [UInt8](repeating: 0, count: Self.byteCount)
        guard EVP_MD_CTX_copy_ex(copy, context) == 1,
            EVP_DigestFinal_ex(copy, &digest, nil) == 1
        else { preconditionFailure("libcrypto broke off") }
        return digest
    }

    /// The digest of `bytes` alone.
    public static func digest(of bytes: [UInt8]) -> [UInt8] {
        let run = SHA256()
        bytes.withUnsafeBytes { run.update($0) }
        return run.value
    }
}

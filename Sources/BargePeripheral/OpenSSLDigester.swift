import CCrypto

/// SHA-256 by OpenSSL's libcrypto.
///
/// The only ways in which these calls fail are exhausted memory and a libcrypto without SHA-256; no caller could go
/// on after either, so both end the process.
public final class OpenSSLDigester: SHA256Digester {
    private let context: OpaquePointer

    /// Begins a run.
    public init() {
        guard let context = EVP_MD_CTX_new() else { preconditionFailure("no memory for a digest") }
        self.context = context
        let began = EVP_DigestInit_ex(context, EVP_sha256(), nil)
        precondition(began == 1, "libcrypto offers no SHA-256")
    }

    deinit {
        EVP_MD_CTX_free(context)
    }

    /// Takes the next bytes in.
    public func update(_ bytes: UnsafeRawBufferPointer) {
        let updated = EVP_DigestUpdate(context, bytes.baseAddress, bytes.count)
        precondition(updated == 1, "libcrypto failed to update a digest")
    }

    /// Ends the run; nothing may follow.
    public func finish() -> ContentDigest {
        var bytes = [UInt8](repeating: 0, count: ContentDigest.byteCount)
        let finished = EVP_DigestFinal_ex(context, &bytes, nil)
        precondition(finished == 1, "libcrypto failed to finish a digest")
        guard let digest = ContentDigest(bytes) else { preconditionFailure("a digest has 32 bytes") }
        return digest
    }
}

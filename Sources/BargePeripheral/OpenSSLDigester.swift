import CCrypto

/// SHA-256 by OpenSSL's libcrypto. A value: a copy goes on by itself.
///
/// The only ways in which these calls fail are exhausted memory and a libcrypto without SHA-256; no
/// caller could go on after either, so both end the process.
public struct OpenSSLDigester: SHA256Digester {
    private var context = Context()

    /// Begins a run.
    public init() {
        let began = EVP_DigestInit_ex(context.pointer, EVP_sha256(), nil)
        precondition(began == 1, "libcrypto offers no SHA-256")
    }

    /// Takes the next bytes in.
    public mutating func update(_ bytes: UnsafeRawBufferPointer) {
        if !isKnownUniquelyReferenced(&context) { context = Context(copying: context) }
        let updated = EVP_DigestUpdate(context.pointer, bytes.baseAddress, bytes.count)
        precondition(updated == 1, "libcrypto failed to update a digest")
    }

    /// Ends the run; nothing may follow.
    public mutating func finish() -> ContentDigest {
        if !isKnownUniquelyReferenced(&context) { context = Context(copying: context) }
        var bytes = [UInt8](repeating: 0, count: ContentDigest.byteCount)
        let finished = EVP_DigestFinal_ex(context.pointer, &bytes, nil)
        precondition(finished == 1, "libcrypto failed to finish a digest")
        guard let digest = ContentDigest(bytes) else {
            preconditionFailure("a digest has 32 bytes")
        }
        return digest
    }

    /// Frees libcrypto's context when nothing refers to it any more.
    private final class Context {
        let pointer: OpaquePointer

        init() {
            guard let pointer = EVP_MD_CTX_new() else {
                preconditionFailure("no memory for a digest")
            }
            self.pointer = pointer
        }

        convenience init(copying other: Context) {
            self.init()
            let copied = EVP_MD_CTX_copy_ex(pointer, other.pointer)
            precondition(copied == 1, "libcrypto failed to copy a digest")
        }

        deinit {
            EVP_MD_CTX_free(pointer)
        }
    }
}

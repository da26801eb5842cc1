public import BargeProtocol
internal import CCrypto

/// One run of SHA-256 (FIPS 180-4), by libcrypto: it uses the processor's own instructions. A
/// value: a copy goes on by itself.
///
/// The only ways in which these calls fail are exhausted memory and a libcrypto without SHA-256; no
/// caller could go on after either, so both end the process.
public struct SHA256: Sendable {
    private var context = Context()

    /// Begins a run.
    public init() {}

    /// Takes the next bytes in.
    public mutating func update(_ bytes: UnsafeRawBufferPointer) {
        if !isKnownUniquelyReferenced(&context) { context = Context(copying: context) }
        precondition(
            EVP_DigestUpdate(context.pointer, bytes.baseAddress, bytes.count) == 1,
            "libcrypto failed to update a digest")
    }

    /// The digest of all bytes so far; more may follow.
    public var value: Digest {
        let copy = Context(copying: context)
        var bytes = [UInt8](repeating: 0, count: Digest.byteCount)
        guard EVP_DigestFinal_ex(copy.pointer, &bytes, nil) == 1,
            let digest = Digest(bytes.span.bytes)
        else { preconditionFailure("libcrypto failed to finish a digest") }
        return digest
    }

    /// The digest of `bytes` alone.
    public static func digest(of bytes: [UInt8]) -> Digest {
        var run = SHA256()
        bytes.withUnsafeBytes { run.update($0) }
        return run.value
    }

    /// Frees libcrypto's context when nothing refers to it any more.
    ///
    /// Unchecked: it is changed only by the one value that holds it, and copied before it is when
    /// there are several.
    private final class Context: @unchecked Sendable {
        let pointer: OpaquePointer

        init() {
            guard let pointer = EVP_MD_CTX_new() else {
                preconditionFailure("no memory for a digest")
            }
            self.pointer = pointer
            precondition(
                EVP_DigestInit_ex(pointer, EVP_sha256(), nil) == 1,
                "libcrypto offers no SHA-256")
        }

        convenience init(copying other: Context) {
            self.init()
            precondition(
                EVP_MD_CTX_copy_ex(pointer, other.pointer) == 1,
                "libcrypto failed to copy a digest")
        }

        deinit { EVP_MD_CTX_free(pointer) }
    }
}

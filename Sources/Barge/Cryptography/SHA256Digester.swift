import CCrypto
import FirmwareImage

/// SHA-256 (FIPS 180-4) over bytes that arrive piece by piece.
public struct SHA256Digester: ~Copyable, @unchecked Sendable {
    // Unchecked: the context belongs to this value alone, and a value without copies is used by one
    // task at a time.
    private let context: OpaquePointer

    /// The length of a digest, in bytes.
    public static let digestByteCount = 32

    /// Starts a digest.
    ///
    /// - Throws: `CryptographyFailure` when libcrypto has no SHA-256 to offer, which only a broken
    ///   configuration brings about.
    public init() throws(CryptographyFailure) {
        guard let context = EVP_MD_CTX_new() else {
            throw .latest(while: "starting SHA-256")
        }
        guard EVP_DigestInit_ex(context, EVP_sha256(), nil) == 1 else {
            EVP_MD_CTX_free(context)
            throw .latest(while: "starting SHA-256")
        }
        self.context = context
    }

    deinit { EVP_MD_CTX_free(context) }

    /// Adds bytes to what is digested.
    public mutating func update(_ bytes: UnsafeRawBufferPointer) {
        // A digest that has started has no way to fail: it neither allocates nor fetches.
        let status = EVP_DigestUpdate(context, bytes.baseAddress, bytes.count)
        precondition(status == 1, "libcrypto lost a SHA-256 that had started")
    }

    /// Adds bytes to what is digested.
    public mutating func update(_ bytes: RawSpan) {
        bytes.withUnsafeBytes { update($0) }
    }

    /// The digest of all that was added: 32 bytes.
    public consuming func finish() -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: Int(EVP_MAX_MD_SIZE)) { buffer, count in
            var byteCount: UInt32 = 0
            let status = EVP_DigestFinal_ex(context, buffer.baseAddress, &byteCount)
            precondition(status == 1, "libcrypto lost a SHA-256 that had started")
            count = Int(byteCount)
        }
    }
}

import BargeProtocol
import CCrypto

/// SHA-256 (FIPS 180-4) of bytes that come piece by piece.
struct FileDigester: ~Copyable {
    private let context: OpaquePointer

    init() {
        guard let context = EVP_MD_CTX_new() else { preconditionFailure("out of memory") }
        self.context = context
        precondition(
            EVP_DigestInit_ex(context, EVP_sha256(), nil) == 1, "libcrypto has no SHA-256")
    }

    deinit { EVP_MD_CTX_free(context) }

    /// Takes more bytes.
    mutating func update(_ bytes: UnsafeRawBufferPointer) {
        precondition(
            EVP_DigestUpdate(context, bytes.baseAddress, bytes.count) == 1, "libcrypto failed")
    }

    /// The digest of all bytes; nothing may follow.
    mutating func finish() -> Digest {
        var bytes = [UInt8](repeating: 0, count: Digest.byteCount)
        precondition(EVP_DigestFinal_ex(context, &bytes, nil) == 1, "libcrypto failed")
        guard let digest = Digest(bytes.span.bytes) else { preconditionFailure("32 bytes") }
        return digest
    }
}

/// What is known of bytes that went by in order from the first one: how many they are, their
/// CRC-32, and their SHA-256 when they end.
///
/// A class: where an optional noncopyable struct around a pointer was emptied by `take()`, Swift
/// 6.3.1 still calls through `optional?.update()`, with nothing behind it.
final class RunningChecks {
    private(set) var byteCount: UInt64 = 0
    private var crc = CRC32()
    private var digester = FileDigester()

    /// The CRC-32 of all bytes so far.
    var crc32: UInt32 { crc.value }

    /// Takes the bytes that come next.
    func update(_ bytes: UnsafeRawBufferPointer) {
        crc.update(bytes.bytes)
        digester.update(bytes)
        byteCount += UInt64(bytes.count)
    }

    /// The digest of all bytes; nothing may follow.
    func digest() -> Digest { digester.finish() }
}

import BargeCoding
import BargeProtocol

/// What is known of bytes that went by in order from the first one: their CRC-32 and their SHA-256.
struct RunningChecks {
    private var crc = CRC32()
    private var sha256 = SHA256()

    /// The CRC-32 of all bytes so far.
    var crc32: UInt32 { crc.value }

    /// The SHA-256 of all bytes so far.
    var digest: Digest { sha256.value }

    /// Takes the bytes that come next.
    mutating func update(_ bytes: UnsafeRawBufferPointer) {
        crc.update(bytes.bytes)
        sha256.update(bytes)
    }
}

import BargeCoding
import BargeProtocol

/// SHA-256 of bytes that come piece by piece, as the protocol has it.
struct FileDigester {
    private var run = SHA256()

    /// Takes more bytes.
    mutating func update(_ bytes: UnsafeRawBufferPointer) { run.update(bytes) }

    /// The digest of all bytes; nothing may follow.
    mutating func finish() -> Digest {
        guard let digest = Digest(run.value.span.bytes) else { preconditionFailure("32 bytes") }
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

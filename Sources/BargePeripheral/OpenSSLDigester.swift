import BargeCoding

/// SHA-256 for the device half on a computer, by OpenSSL's libcrypto. A value: a copy goes on by
/// itself.
public struct OpenSSLDigester: SHA256Digester, Sendable {
    private var run = SHA256()

    /// Begins a run.
    public init() {}

    /// Takes the next bytes in.
    public mutating func update(_ bytes: UnsafeRawBufferPointer) { run.update(bytes) }

    /// Ends the run; nothing may follow.
    public mutating func finish() -> ContentDigest { ContentDigest(run.value) }
}

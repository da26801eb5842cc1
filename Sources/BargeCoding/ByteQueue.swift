/// Bytes on their way through a pipe: appended at the end, taken from the front.
public struct ByteQueue: Sendable {
    private var storage: [UInt8] = []
    private var head = 0

    /// When so many taken bytes lie in front, the rest is moved up.
    private static let slackBytes = 64 * 1024

    /// Nothing.
    public init() {}

    /// How many bytes wait.
    public var count: Int { storage.count - head }

    /// True where none do.
    public var isEmpty: Bool { count == 0 }

    /// Appends through `body`, which may only append.
    public mutating func append<Result, Failure: Error>(
        _ body: (inout [UInt8]) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let before = storage.count
        defer { precondition(storage.count >= before, "bytes were taken off the end") }
        return try body(&storage)
    }

    /// Takes `count` bytes off the front.
    public mutating func drop(_ count: Int) {
        precondition(count <= self.count, "not so many bytes wait")
        head += count
        if head == storage.count {
            storage.removeAll(keepingCapacity: true)
            head = 0
        } else if head >= Self.slackBytes {
            storage.removeSubrange(..<head)
            head = 0
        }
    }

    /// Drops everything.
    public mutating func removeAll() {
        storage.removeAll(keepingCapacity: true)
        head = 0
    }

    /// The waiting bytes, the oldest first.
    public func withBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let span = storage.span.bytes.extracting(head..<storage.count)
        return try span.withUnsafeBytes(body)
    }
}

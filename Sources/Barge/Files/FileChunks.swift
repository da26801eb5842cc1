/// The one buffer through which a file is streamed, so that its size never shows in memory.
struct FileChunks: ~Copyable {
    /// Bytes that are read at once: enough to make system calls cheap, little enough for a cache.
    static let chunkBytes = 256 * 1024

    private let buffer = UnsafeMutableRawBufferPointer.allocate(
        byteCount: chunkBytes, alignment: 16)

    init() {}

    deinit { buffer.deallocate() }

    /// The whole buffer.
    var storage: UnsafeMutableRawBufferPointer { buffer }

    /// Hands out the first `byteCount` bytes of a file, chunk by chunk, and returns how many there
    /// were: fewer if the file ends early.
    func stream(
        _ file: borrowing FileDescriptor, upTo byteCount: UInt64,
        _ body: (UnsafeRawBufferPointer) -> Void
    ) throws(SystemError) -> UInt64 {
        var offset: UInt64 = 0
        while offset < byteCount {
            let wanted = Int(min(UInt64(buffer.count), byteCount - offset))
            let chunk = UnsafeMutableRawBufferPointer(rebasing: buffer[..<wanted])
            let count = try file.read(into: chunk, at: offset)
            body(UnsafeRawBufferPointer(rebasing: chunk[..<count]))
            offset += UInt64(count)
            if count < wanted { break }
        }
        return offset
    }
}

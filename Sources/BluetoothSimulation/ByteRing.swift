/// Bytes in a ring, moved in whole pieces. Its memory is owned by it alone.
struct ByteRing: ~Copyable {
    private var storage: UnsafeMutableRawBufferPointer
    private var head = 0
    private(set) var count = 0

    init() {
        storage = UnsafeMutableRawBufferPointer(start: nil, count: 0)
    }

    deinit { storage.deallocate() }

    /// Gives its memory back, and with it whatever it held.
    mutating func discard() {
        storage.deallocate()
        storage = UnsafeMutableRawBufferPointer(start: nil, count: 0)
        head = 0
        count = 0
    }

    mutating func append(_ bytes: UnsafeRawBufferPointer) {
        makeRoom(for: bytes.count)
        let tail = (head + count) & (storage.count - 1)
        let firstPart = min(bytes.count, storage.count - tail)
        copy(UnsafeRawBufferPointer(rebasing: bytes[..<firstPart]), to: tail)
        copy(UnsafeRawBufferPointer(rebasing: bytes[firstPart...]), to: 0)
        count += bytes.count
    }

    /// Appends a copy of the first `byteCount` bytes to another ring.
    func copyFirst(_ byteCount: Int, to other: inout ByteRing) {
        precondition(byteCount <= count)
        withFirst(byteCount) { other.append($0) }
    }

    /// Hands out the first `byteCount` bytes in one or two pieces.
    func withFirst(_ byteCount: Int, _ body: (UnsafeRawBufferPointer) -> Void) {
        guard byteCount > 0 else { return }
        let firstPart = min(byteCount, storage.count - head)
        body(UnsafeRawBufferPointer(rebasing: storage[head..<head + firstPart]))
        guard firstPart < byteCount else { return }
        body(UnsafeRawBufferPointer(rebasing: storage[..<(byteCount - firstPart)]))
    }

    mutating func dropFirst(_ byteCount: Int) {
        precondition(byteCount <= count)
        guard byteCount > 0 else { return }
        head = (head + byteCount) & (storage.count - 1)
        count -= byteCount
    }

    mutating func dropLast(_ byteCount: Int) {
        precondition(byteCount <= count)
        count -= byteCount
    }

    private func copy(_ bytes: UnsafeRawBufferPointer, to offset: Int) {
        guard !bytes.isEmpty else { return }
        UnsafeMutableRawBufferPointer(rebasing: storage[offset...]).copyMemory(from: bytes)
    }

    private mutating func makeRoom(for byteCount: Int) {
        guard count + byteCount > storage.count else { return }
        var capacity = max(storage.count, 1024)
        while capacity < count + byteCount { capacity *= 2 }
        let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: capacity, alignment: 16)
        var filled = 0
        withFirst(count) { piece in
            UnsafeMutableRawBufferPointer(rebasing: larger[filled...]).copyMemory(from: piece)
            filled += piece.count
        }
        storage.deallocate()
        storage = larger
        head = 0
    }
}

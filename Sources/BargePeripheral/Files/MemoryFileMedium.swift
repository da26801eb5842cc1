/// Files in memory, for proofs. A value: a copy is a snapshot. It has no clock, so modification
/// times are unknown.
public struct MemoryFileMedium: FileMedium, Sendable {
    /// An open file.
    public struct Handle: Hashable, Sendable {
        fileprivate let number: Int
    }

    /// Contents by number. A content outlives its name, as in a file system, here for as long as
    /// the medium lives.
    private var contents: [[UInt8]] = []
    private var names: [FileArea: [FileName: Int]] = [.files: [:], .partials: [:]]
    private var failures = PlannedFailures<FileOperation>()

    /// A medium without files.
    public init() {}

    /// Plans that an operation fails: the call with the given number, counted from 0 from now on,
    /// once or for ever. A failing write leaves the first half of its bytes written.
    public mutating func fail(
        _ operation: FileOperation, atCall call: Int, persistently: Bool = false
    ) {
        failures.add(operation, atCall: call, persistently: persistently)
    }

    /// Forgets all planned failures.
    public mutating func clearFailures() {
        failures.removeAll()
    }

    /// Hands over each file in an area, in no order.
    public mutating func forEachFile(
        in area: FileArea, _ body: (FileName, FileAttributes) -> Void
    ) throws(FileMediumError) {
        try admit(.list)
        for (name, number) in names[area, default: [:]] {
            body(name, FileAttributes(size: contents[number].count, modificationSeconds: nil))
        }
    }

    /// What is known of a file; `nil` if there is none.
    public mutating func attributes(
        of name: FileName, in area: FileArea
    ) throws(FileMediumError) -> FileAttributes? {
        try admit(.attributes)
        guard let number = names[area]?[name] else { return nil }
        return FileAttributes(size: contents[number].count, modificationSeconds: nil)
    }

    /// Opens a file that is there.
    public mutating func open(
        _ name: FileName, in area: FileArea, forWriting: Bool
    ) throws(FileMediumError) -> Handle {
        try admit(.open)
        guard let number = names[area]?[name] else { throw .notFound }
        return Handle(number: number)
    }

    /// Makes an empty file, and empties one that is there.
    public mutating func create(
        _ name: FileName, in area: FileArea
    ) throws(FileMediumError) -> Handle {
        try admit(.open)
        if let number = names[area]?[name] {
            contents[number] = []
            return Handle(number: number)
        }
        names[area, default: [:]][name] = contents.count
        contents.append([])
        return Handle(number: contents.count - 1)
    }

    /// Bytes of an open file.
    public mutating func size(of handle: Handle) throws(FileMediumError) -> Int {
        try admit(.attributes)
        return contents[handle.number].count
    }

    /// Reads from `offset` on until `buffer` is full or the file ends.
    public mutating func read(
        _ handle: Handle, at offset: Int, into buffer: UnsafeMutableRawBufferPointer
    ) throws(FileMediumError) -> Int {
        try admit(.read)
        let content = contents[handle.number]
        let count = max(0, min(buffer.count, content.count - offset))
        if count > 0 { buffer.copyBytes(from: content[offset..<offset + count]) }
        return count
    }

    /// Writes all of `bytes` from `offset` on; a gap before them is filled with zeros, as in a file
    /// system.
    public mutating func write(
        _ bytes: UnsafeRawBufferPointer, to handle: Handle, at offset: Int
    ) throws(FileMediumError) {
        let fails = failures.strike(.write)
        let count = fails ? bytes.count / 2 : bytes.count
        let end = offset + count
        let missing = end - contents[handle.number].count
        if missing > 0 {
            contents[handle.number].append(contentsOf: repeatElement(0, count: missing))
        }
        contents[handle.number].replaceSubrange(offset..<end, with: bytes[..<count])
        if fails { throw .planned(.write) }
    }

    /// Does nothing: memory is as durable as it gets.
    public mutating func sync(_ handle: Handle) throws(FileMediumError) {
        try admit(.sync)
    }

    /// Moves an unfinished file among the whole ones; a file of that name is replaced.
    public mutating func publish(
        _ partial: FileName, as name: FileName
    ) throws(FileMediumError) {
        try admit(.rename)
        guard let number = names[.partials]?.removeValue(forKey: partial) else { throw .notFound }
        names[.files, default: [:]][name] = number
    }

    /// Removes a file. One that is not there is fine.
    public mutating func remove(
        _ name: FileName, in area: FileArea
    ) throws(FileMediumError) {
        try admit(.remove)
        names[area]?.removeValue(forKey: name)
    }

    private mutating func admit(_ operation: FileOperation) throws(FileMediumError) {
        if failures.strike(operation) { throw .planned(operation) }
    }
}

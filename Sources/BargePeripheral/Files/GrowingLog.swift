/// A log that grows while it is read: for simulated devices and for tests.
///
/// Its lines follow from a seed and their numbers, so that whoever reads it can tell what it must
/// say.
public struct GrowingLog: Hashable, Sendable {
    /// The log's file.
    public let name: FileName
    /// Decides what the lines say.
    public let seed: UInt64
    /// The number of the line that comes next.
    public private(set) var nextLine: Int

    /// A log that goes on with line `nextLine`.
    public init(name: FileName, seed: UInt64, nextLine: Int = 0) {
        self.name = name
        self.seed = seed
        self.nextLine = nextLine
    }

    /// Appends lines to the log's file.
    /// - Throws: as ``FileStore/append(_:to:)`` does; then no line counts as appended.
    public mutating func append<Medium: FileMedium, Digester: SHA256Digester>(
        lines count: Int, to store: inout FileStore<Medium, Digester>
    ) throws(StorageError) {
        precondition(count >= 0, "a log only grows")
        let lines = (nextLine..<nextLine + count).flatMap { Self.line($0, seed: seed) }
        try store.append(lines, to: name)
        nextLine += count
    }

    /// A line with its end: a number, a source, a level and a value, all made up.
    public static func line(_ number: Int, seed: UInt64) -> [UInt8] {
        var random = SeededGenerator(seed: seed ^ UInt64(bitPattern: Int64(number)) &* 0xD6E8_FEB8)
        let source = ["radio", "battery", "sensor", "flash"][Int(random.next() % 4)]
        let level = ["debug", "info", "info", "warning"][Int(random.next() % 4)]
        let value = Int(random.next() % 100_000)
        return Array("\(number) \(level) \(source): value \(value)\n".utf8)
    }
}

import BargePeripheral
import Testing

typealias MemoryStore = FileStore<MemoryFileMedium, OpenSSLDigester>

@Suite("A store of files")
struct FileStoreTests {
    static let content = pattern(1000, seed: 1)

    static func transfer(_ name: String, _ bytes: [UInt8] = content) throws -> FileTransfer {
        FileTransfer(name: try FileName(name), length: bytes.count, sha256: digest(bytes))
    }

    /// Writes a file from a durable offset on, and finishes it.
    static func finish(
        _ bytes: [UInt8] = content, from offset: Int = 0, on store: inout MemoryStore
    ) throws(StorageError) {
        for start in stride(from: offset, to: bytes.count, by: 256) {
            try store.write(Array(bytes[start..<min(start + 256, bytes.count)]), at: start)
        }
        try store.finishWrite()
    }

    static func put(_ name: String, _ bytes: [UInt8] = content, on store: inout MemoryStore) throws
    {
        #expect(try store.beginWrite(transfer(name, bytes)) == .write(from: 0))
        try finish(bytes, on: &store)
    }

    static func contents(_ name: String, on store: inout MemoryStore) throws -> [UInt8] {
        let snapshot = try store.openRead(try FileName(name))
        return try store.read(snapshot, 0..<snapshot.size)
    }

    @Test("A file is there when it is finished, whole, and not before")
    func write() throws {
        var store = MemoryStore(medium: MemoryFileMedium())
        #expect(try store.beginWrite(Self.transfer("a")) == .write(from: 0))
        try store.write(Array(Self.content[..<256]), at: 0)
        #expect(try store.list() == [])
        expectError(.notFound) { try store.openRead(try FileName("a")) }
        expectError(.wrongState) { try store.finishWrite() }
        try Self.finish(from: 256, on: &store)
        #expect(try Self.contents("a", on: &store) == Self.content)
        let summary = try store.stat(try FileName("a"))
        #expect(summary.size == 1000)
        #expect(summary.sha256 == digest(Self.content))
        #expect(summary.modificationSeconds == nil)
    }

    @Test("An empty file can be stored")
    func empty() throws {
        var store = MemoryStore(medium: MemoryFileMedium())
        try Self.put("nothing", [], on: &store)
        #expect(try store.stat(try FileName("nothing")).sha256 == digest([]))
    }

    @Test("A file that is there already, byte for byte, is not sent again")
    func unchanged() throws {
        var store = MemoryStore(medium: MemoryFileMedium())
        try Self.put("a", on: &store)
        #expect(try store.beginWrite(Self.transfer("a")) == .complete)
        expectError(.wrongState) { try store.write([1], at: 0) }
        #expect(try store.beginWrite(Self.transfer("a"), restart: true) == .write(from: 0))
        #expect(
            try store.beginWrite(Self.transfer("a", pattern(1000, seed: 2))) == .write(from: 0))
    }

    @Test(
        "An upload goes on in another process, and its prefix has the CRC-32 of its bytes"
    )
    func resume() throws {
        var store = MemoryStore(medium: MemoryFileMedium())
        _ = try store.beginWrite(Self.transfer("a"))
        try store.write(Array(Self.content[..<300]), at: 0)
        store = MemoryStore(medium: store.medium)
        #expect(try store.beginWrite(Self.transfer("a")) == .write(from: 300))
        #expect(try store.prefixCRC32(upTo: 300) == bitwiseCRC32(Self.content[..<300]))
        #expect(try store.prefixCRC32(upTo: 0) == 0)
        expectError(.invalidArgument) { try store.prefixCRC32(upTo: 301) }
        expectError(.invalidArgument) { try store.write([1], at: 299) }
        expectError(.invalidArgument) { try store.write([], at: 300) }
        expectError(.invalidArgument) { try store.write(pattern(701, seed: 1), at: 300) }
        #expect(try store.beginWrite(Self.transfer("a"), restart: true) == .write(from: 0))
    }

    @Test("Uploads of other files, lengths or digests do not mix")
    func identities() throws {
        var store = MemoryStore(medium: MemoryFileMedium())
        _ = try store.beginWrite(Self.transfer("a"))
        try store.write(Array(Self.content[..<300]), at: 0)
        for other in [
            try Self.transfer("b"), try Self.transfer("a", pattern(1000, seed: 9)),
            FileTransfer(name: try FileName("a"), length: 999, sha256: digest(Self.content)),
        ] {
            #expect(try store.beginWrite(other) == .write(from: 0))
        }
        #expect(try store.beginWrite(Self.transfer("a")) == .write(from: 300))
    }

    @Test("A wrong digest leaves the file that was there, and no partial one")
    func wrongDigest() throws {
        var store = MemoryStore(medium: MemoryFileMedium())
        try Self.put("a", [1, 2, 3], on: &store)
        let lie = FileTransfer(
            name: try FileName("a"), length: 1000, sha256: digest(pattern(1000, seed: 2)))
        _ = try store.beginWrite(lie)
        expectError(.digestMismatch) { try Self.finish(on: &store) }
        #expect(try Self.contents("a", on: &store) == [1, 2, 3])
        #expect(try store.beginWrite(lie) == .write(from: 0))
    }

    @Test("Finishing in pieces reads at most the budget at a time")
    func pieces() throws {
        var store = MemoryStore(medium: MemoryFileMedium())
        _ = try store.beginWrite(Self.transfer("a"))
        try store.write(Self.content, at: 0)
        var calls = 1
        while try !store.finishWrite(byteBudget: 300) {
            calls += 1
            expectError(.notFound) { try store.openRead(try FileName("a")) }
        }
        #expect(calls == 4)
        #expect(try Self.contents("a", on: &store) == Self.content)
    }

    @Test("The list is in the order of bytes, and goes on after a name")
    func list() throws {
        var store = MemoryStore(medium: MemoryFileMedium())
        let names = ["b", "a", "Z", "é", "aa", "log.10", "log.9"]
        for name in names { try Self.put(name, Array(name.utf8), on: &store) }
        let sorted = names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        #expect(try store.list().map(\.name.text) == sorted)
        #expect(try store.list(limit: 3).map(\.name.text) == Array(sorted[..<3]))
        #expect(
            try store.list(after: FileName(sorted[2]), limit: 3).map(\.name.text)
                == Array(sorted[3..<6]))
        #expect(try store.list(after: FileName("é")) == [])
        #expect(try store.list(limit: 0) == [])
        #expect(try store.list().map(\.size) == sorted.map(\.utf8.count))
    }

    @Test("A removed file is gone, but not for who reads it")
    func remove() throws {
        var store = MemoryStore(medium: MemoryFileMedium())
        try Self.put("a", on: &store)
        let snapshot = try store.openRead(try FileName("a"))
        try store.remove(try FileName("a"))
        expectError(.notFound) { try store.remove(try FileName("a")) }
        #expect(try store.read(snapshot, 990..<1000) == Array(Self.content[990...]))
        expectError(.invalidArgument) { try store.read(snapshot, 990..<1001) }
        expectError(.invalidArgument) { try store.read(snapshot, 1 << 60..<1 << 61) }
    }

    @Test("A log that grows is read as it was when it was opened")
    func growing() throws {
        var store = MemoryStore(medium: MemoryFileMedium())
        var log = GrowingLog(name: try FileName("boot.log"), seed: 4)
        try log.append(lines: 10, to: &store)
        let expected = (0..<10).flatMap { GrowingLog.line($0, seed: 4) }
        let snapshot = try store.openRead(log.name)
        #expect(snapshot.size == expected.count)
        for offset in stride(from: 0, to: snapshot.size, by: 32) {
            try log.append(lines: 3, to: &store)
            let end = min(offset + 32, snapshot.size)
            #expect(try store.read(snapshot, offset..<end) == Array(expected[offset..<end]))
        }
        let all = (0..<log.nextLine).flatMap { GrowingLog.line($0, seed: 4) }
        #expect(try Self.contents("boot.log", on: &store) == all)
        #expect(GrowingLog.line(3, seed: 4) != GrowingLog.line(3, seed: 5))
    }

    @Test("What does not fit is refused before anything is written; what fits exactly is taken")
    func capacity() throws {
        var store = MemoryStore(
            medium: MemoryFileMedium(), limits: FileStoreLimits(capacityBytes: 1500))
        try Self.put("a", pattern(500, seed: 1), on: &store)
        expectError(.noSpace) { try store.beginWrite(Self.transfer("b", pattern(1001, seed: 1))) }
        let huge = FileTransfer(name: try FileName("b"), length: .max, sha256: digest([]))
        expectError(.noSpace) { try store.beginWrite(huge) }
        try Self.put("b", on: &store)
        expectError(.noSpace) { try store.append([1], to: try FileName("c")) }
        #expect(try store.list().map(\.name.text) == ["a", "b"])
    }

    @Test("The oldest unfinished upload gives way when there are too many, or no room for all")
    func partialsAreBounded() throws {
        var store = MemoryStore(
            medium: MemoryFileMedium(),
            limits: FileStoreLimits(capacityBytes: 2000, maximumPartials: 3))
        for name in ["a", "b", "c", "d"] {
            _ = try store.beginWrite(Self.transfer(name))
            try store.write(Array(Self.content[..<100]), at: 0)
        }
        #expect(try store.beginWrite(Self.transfer("b")) == .write(from: 100))
        #expect(try store.beginWrite(Self.transfer("d")) == .write(from: 100))
        // 1850 bytes leave room for one of the three, the youngest.
        _ = try store.beginWrite(Self.transfer("big", pattern(1850, seed: 3)))
        #expect(try store.beginWrite(Self.transfer("d")) == .write(from: 100))
        #expect(try store.beginWrite(Self.transfer("b")) == .write(from: 0))
    }

    @Test(
        "Any call of the medium that fails, once or for ever, loses nothing that was durable",
        arguments: FileOperation.allCases, [false, true])
    func failures(operation: FileOperation, persistently: Bool) throws {
        let transfer = try Self.transfer("a")
        var isOver = false
        var call = 0
        while !isOver {
            var store = MemoryStore(medium: MemoryFileMedium())
            try Self.put("a", [1, 2, 3], on: &store)
            store.medium.fail(operation, atCall: call, persistently: persistently)
            var durable = 0
            do throws(StorageError) {
                _ = try store.beginWrite(transfer)
                durable = try store.write(Array(Self.content[..<300]), at: 0)
                durable = try store.write(Array(Self.content[300..<600]), at: 300)
                try Self.finish(from: 600, on: &store)
                isOver = true
            } catch {
                #expect(error.kind == .storageFailure)
            }
            store = MemoryStore(medium: store.medium)
            store.medium.clearFailures()
            let found = try Self.contents("a", on: &store)
            #expect(found == [1, 2, 3] || found == Self.content)
            switch try store.beginWrite(Self.transfer("a")) {
            case .complete:
                #expect(found == Self.content)
            case .write(let offset):
                #expect(offset >= durable)
                #expect(
                    try store.prefixCRC32(upTo: offset) == bitwiseCRC32(Self.content[..<offset]))
                try Self.finish(from: offset, on: &store)
            }
            #expect(try Self.contents("a", on: &store) == Self.content)
            call += 1
            try #require(call < 100)
        }
    }
}

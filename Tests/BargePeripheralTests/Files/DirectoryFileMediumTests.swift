import BargePeripheral
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

typealias DirectoryStore = FileStore<DirectoryFileMedium, OpenSSLDigester>

@Suite("Files in a directory of this computer")
struct DirectoryFileMediumTests {
    static let content = pattern(200_000, seed: 1)
    static let contentDigest = digest(content)

    static func transfer(_ name: String) throws -> FileTransfer {
        FileTransfer(name: try FileName(name), length: content.count, sha256: contentDigest)
    }

    @Test("A file that arrives is an ordinary file, and an unfinished one survives the process")
    func arrives() throws {
        try withScratchDirectory { directory in
            let path = directory + "/files"
            var store = DirectoryStore(medium: try DirectoryFileMedium(path: path))
            _ = try store.beginWrite(Self.transfer("firmware.log"))
            try store.write(Array(Self.content[..<150_000]), at: 0)
            store = DirectoryStore(medium: try DirectoryFileMedium(path: path))
            #expect(try store.list() == [])
            #expect(try store.beginWrite(Self.transfer("firmware.log")) == .write(from: 150_000))
            #expect(
                try store.prefixCRC32(upTo: 150_000) == bitwiseCRC32(Self.content[..<150_000]))
            try store.write(Array(Self.content[150_000...]), at: 150_000)
            try store.finishWrite()
            #expect(try readFile(path + "/firmware.log") == Self.content)
            let entry = try #require(try store.list().first)
            #expect(entry.size == 200_000)
            #expect(try #require(entry.modificationSeconds) > 1_700_000_000)
            #expect(try store.stat(entry.name).sha256 == digest(Self.content))
        }
    }

    @Test("Links, directories and FIFOs are not listed, not read, not followed and not replaced")
    func others() throws {
        try withScratchDirectory { directory in
            let path = directory + "/files"
            var store = DirectoryStore(medium: try DirectoryFileMedium(path: path))
            try writeFile([1, 2, 3], directory + "/secret")
            #expect(symlink(directory + "/secret", path + "/link") == 0)
            #expect(symlink("/nowhere", path + "/dangling") == 0)
            #expect(mkdir(path + "/directory", 0o755) == 0)
            #expect(mkfifo(path + "/fifo", 0o644) == 0)
            #expect(try store.list() == [])
            for text in ["link", "dangling", "directory", "fifo"] {
                let name = try FileName(text)
                expectError(.notPermitted) { try store.openRead(name) }
                expectError(.notPermitted) { try store.stat(name) }
                expectError(.notPermitted) { try store.remove(name) }
                expectError(.notPermitted) { try store.append([9], to: name) }
                expectError(.notPermitted) { try store.beginWrite(Self.transfer(text)) }
            }
            #expect(try readFile(directory + "/secret") == [1, 2, 3])
        }
    }

    @Test("A directory for unfinished files that is a link is refused")
    func linkedPartials() throws {
        try withScratchDirectory { directory in
            let path = directory + "/files"
            #expect(mkdir(path, 0o755) == 0)
            #expect(symlink(directory, path + "/" + FileName.reserved) == 0)
            #expect(throws: FileMediumError.notRegular) { try DirectoryFileMedium(path: path) }
            try writeFile([], directory + "/plain")
            #expect(throws: FileMediumError.notRegular) {
                try DirectoryFileMedium(path: directory + "/plain")
            }
        }
    }

    @Test("A record of an upload with a flipped bit means a fresh start, or the offset before")
    func damagedRecord() throws {
        try withScratchDirectory { directory in
            var store = DirectoryStore(medium: try DirectoryFileMedium(path: directory))
            _ = try store.beginWrite(Self.transfer("a"))
            try store.write(Array(Self.content[..<1000]), at: 0)
            try store.write(Array(Self.content[1000..<2000]), at: 1000)
            let partials = directory + "/" + FileName.reserved
            let record = try #require(
                try entryNames(partials).first { $0.hasSuffix(".record") })
            let good = try readFile(partials + "/" + record)
            let prefixes = [0, 1000, 2000].map { ($0, bitwiseCRC32(Self.content[..<$0])) }
            let crcs = Dictionary(uniqueKeysWithValues: prefixes)
            // The head's fields, its checksum, and the two places of an offset; the rest is
            // padding.
            for byte in Array(0..<60) + Array(380..<404) + Array(448..<468) {
                var bytes = good
                bytes[byte] ^= 0x10
                try writeFile(bytes, partials + "/" + record)
                guard case .write(let offset) = try store.beginWrite(Self.transfer("a")) else {
                    Issue.record("a file is complete that was never finished")
                    continue
                }
                #expect(try store.prefixCRC32(upTo: offset) == crcs[offset])
                // A fresh start has given the data up: lay them back.
                if offset == 0 { try store.write(Array(Self.content[..<2000]), at: 0) }
            }
        }
    }

    @Test("A file that shrinks while it is read is an error, not bytes from nowhere")
    func shrinks() throws {
        try withScratchDirectory { directory in
            var store = DirectoryStore(medium: try DirectoryFileMedium(path: directory))
            try store.append(Self.content, to: try FileName("log"))
            let snapshot = try store.openRead(try FileName("log"))
            #expect(truncate(directory + "/log", 1000) == 0)
            #expect(try store.read(snapshot, 0..<1000) == Array(Self.content[..<1000]))
            expectError(.corrupt) { try store.read(snapshot, 500..<1500) }
        }
    }
}

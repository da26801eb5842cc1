import Foundation
import Testing

@testable import Barge
@testable import BargeProtocol

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

@Suite("What is sent")
struct UploadSourceTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func read(_ source: UploadSource, at offset: Int, _ count: Int) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        try bytes.withUnsafeMutableBytes { buffer throws in
            try source.read(at: UInt64(offset), into: buffer)
        }
        return bytes
    }

    @Test("A file is read at any offset")
    func reads() throws {
        let bytes = pattern(700_000)
        let source = try UploadSource(path: folder.write("boot.bin", bytes))
        #expect(source.name == "boot.bin")
        #expect(source.length == 700_000)
        #expect(try read(source, at: 0, 700_000) == bytes)
        #expect(try read(source, at: 699_990, 10) == Array(bytes[699_990...]))
        #expect(try read(source, at: 700_000, 0) == [])
        try source.verifyUnchanged()
    }

    @Test("The digest is the one of FIPS 180-4, B.1, the check the one of the CRC catalogs")
    func knownChecks() throws {
        let abc = try UploadSource(path: folder.write("abc", Array("abc".utf8)))
        #expect(
            Hexadecimal.text(try abc.digest())
                == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        let digits = UploadSource(bytes: Array("123456789".utf8), name: "digits")
        #expect(try digits.prefixCheck(upTo: 9) == 0xCBF4_3926)
        #expect(try digits.prefixCheck(upTo: 0) == 0)
        #expect(try digits.prefixCheck(upTo: 10) == nil)
    }

    @Test("Bytes in memory and the same bytes in a file look the same")
    func memory() throws {
        let bytes = pattern(600_001)
        let inMemory = UploadSource(bytes: bytes, name: "x")
        let inFile = try UploadSource(path: folder.write("x", bytes))
        #expect(try inMemory.digest() == inFile.digest())
        #expect(try inMemory.prefixCheck(upTo: 300_000) == inFile.prefixCheck(upTo: 300_000))
        #expect(try read(inMemory, at: 5, 100) == read(inFile, at: 5, 100))
        try inMemory.verifyUnchanged()
    }

    @Test("An empty file is a source of length 0")
    func empty() throws {
        let source = try UploadSource(path: folder.write("empty", []))
        #expect(source.length == 0)
        #expect(
            Hexadecimal.text(try source.digest())
                == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
        #expect(try source.prefixCheck(upTo: 0) == 0)
    }

    @Test("A symbolic link is followed")
    func followsLinks() throws {
        try folder.write("real", [1, 2, 3])
        try folder.link("link", to: "real")
        let source = try UploadSource(path: folder("link"))
        #expect(source.name == "link")
        #expect(try read(source, at: 0, 3) == [1, 2, 3])
        try source.verifyUnchanged()
    }

    @Test("What is not there is not found, with exit code 3")
    func missing() throws {
        try folder.link("dangling", to: "nowhere")
        for name in ["missing", "dangling", "missing/file"] {
            let error = localFileError { _ = try UploadSource(path: folder(name)) }
            #expect(error?.kind == .notFound)
            #expect(error.map { BargeError($0).kind } == .localFileMissing)
            #expect(error?.what == "cannot send \(folder(name))")
        }
    }

    @Test("A folder, a pipe, a socket and a device are refused with exit code 2, without waiting")
    func refusesOthers() throws {
        #expect(mkfifo(folder("pipe"), 0o600) == 0)
        for (path, noun) in [
            (folder.path, "a folder"), (folder("pipe"), "a pipe"), ("/dev/null", "a device"),
        ] {
            let error = localFileError { _ = try UploadSource(path: path) }
            #expect(error?.kind == .notAFile)
            #expect(error.map { BargeError($0).kind } == .localFileUnusable)
            #expect(error?.why == "it is \(noun)")
        }
    }

    @Test("A path with NUL inside is no path, and not the one before the NUL")
    func refusesNUL() throws {
        try folder.write("a", [1])
        let error = localFileError { _ = try UploadSource(path: folder("a\0b")) }
        #expect(error?.kind == .badName)
    }
}

@Suite("A file that changes while it is sent")
struct ChangingSourceTests {
    let folder: TemporaryFolder
    let source: UploadSource

    init() throws {
        folder = try TemporaryFolder()
        try folder.write("file", pattern(1000))
        try folder.setModified("file", secondsSince1970: 1_000_000)
        source = try UploadSource(path: folder("file"))
    }

    private func readAll() -> LocalFileError? {
        localFileError {
            var bytes = [UInt8](repeating: 0, count: 1000)
            try bytes.withUnsafeMutableBytes { buffer throws in
                try source.read(at: 0, into: buffer)
            }
        }
    }

    private func expectChanged(
        _ error: LocalFileError?, _ why: String, at place: SourceLocation = #_sourceLocation
    ) {
        #expect(error?.kind == .changed, sourceLocation: place)
        #expect(error.map { BargeError($0).kind } == .verification, sourceLocation: place)
        #expect(error?.why == why, sourceLocation: place)
    }

    @Test("It shrinks: reading, digest, prefix check and the last look all say so")
    func shrinks() throws {
        #expect(truncate(folder("file"), 999) == 0)
        expectChanged(readAll(), "it has become shorter")
        expectChanged(localFileError { _ = try source.digest() }, "it has become shorter")
        expectChanged(
            localFileError { _ = try source.prefixCheck(upTo: 1000) }, "it has become shorter")
        expectChanged(localFileError { try source.verifyUnchanged() }, "it has become shorter")
    }

    @Test("It grows")
    func grows() throws {
        #expect(truncate(folder("file"), 1001) == 0)
        expectChanged(readAll(), "it has become longer")
        expectChanged(localFileError { try source.verifyUnchanged() }, "it has become longer")
    }

    @Test("It is written to in place")
    func isOverwritten() throws {
        let handle = try #require(FileHandle(forWritingAtPath: folder("file")))
        try handle.write(contentsOf: Data([0xEE]))
        try handle.close()
        expectChanged(readAll(), "it was written to")
        expectChanged(localFileError { _ = try source.digest() }, "it was written to")
    }

    @Test("It is written to, and its time is set back: the bytes decide")
    func isForged() throws {
        _ = try source.digest()
        let handle = try #require(FileHandle(forWritingAtPath: folder("file")))
        try handle.write(contentsOf: Data([0xEE]))
        try handle.close()
        try folder.setModified("file", secondsSince1970: 1_000_000)
        expectChanged(readAll(), "it was written to")
    }

    @Test("Other rights or another name beside it are no change of what is sent")
    func isRenamedBeside() throws {
        _ = try source.digest()
        #expect(chmod(folder("file"), 0o600) == 0)
        #expect(link(folder("file"), folder("second")) == 0)
        #expect(readAll() == nil)
        try source.verifyUnchanged()
    }

    @Test("It vanishes")
    func vanishes() throws {
        _ = try source.digest()
        #expect(unlink(folder("file")) == 0)
        expectChanged(localFileError { try source.verifyUnchanged() }, "it is no longer there")
    }

    @Test("Another file takes its place")
    func isReplaced() throws {
        _ = try source.digest()
        try folder.write("new", pattern(1000))
        #expect(rename(folder("new"), folder("file")) == 0)
        expectChanged(
            localFileError { try source.verifyUnchanged() }, "another file has taken its place")
    }
}

@Suite("The standard input as a source")
struct SpooledSourceTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// A source spooled from a pipe that was filled before.
    private func spool(_ bytes: [UInt8], longest: UInt64 = .max) throws -> UploadSource {
        precondition(bytes.count <= 60_000, "more than a pipe holds")
        let pipe = Pipe()
        try pipe.fileHandleForWriting.write(contentsOf: Data(bytes))
        try pipe.fileHandleForWriting.close()
        let input = FileDescriptor(borrowing: pipe.fileHandleForReading.fileDescriptor)
        return try UploadSource(
            spooling: input, in: folder.path, name: "stdin", longest: longest)
    }

    @Test("A pipe is copied to its end, and the copy has no name")
    func copies() throws {
        let bytes = pattern(60_000)
        let source = try spool(bytes)
        #expect(source.length == 60_000)
        #expect(source.path == "-")
        #expect(try source.digest() == UploadSource(bytes: bytes, name: "").digest())
        #expect(folder.names == [])
        try source.verifyUnchanged()
    }

    @Test("A file as the standard input may be longer than a chunk")
    func copiesFile() throws {
        let elsewhere = try TemporaryFolder()
        let bytes = pattern(600_000)
        let input = try FileDescriptor(opening: elsewhere.write("in", bytes), flags: O_RDONLY)
        let source = try UploadSource(
            spooling: input, in: folder.path, name: "stdin", longest: .max)
        #expect(try source.digest() == UploadSource(bytes: bytes, name: "").digest())
    }

    @Test("An input that ends at once is a source of length 0")
    func copiesNothing() throws {
        #expect(try spool([]).length == 0)
    }

    @Test("An input of just the longest length is taken, one byte more is not")
    func bounds() throws {
        #expect(try spool(pattern(100), longest: 100).length == 100)
        #expect(localFileError { _ = try spool(pattern(101), longest: 100) } != nil)
    }

    @Test("A folder for the copy that does not exist is a sentence")
    func missingFolder() {
        let error = localFileError {
            _ = try UploadSource(
                spooling: FileDescriptor(borrowing: 0), in: folder("none"), name: "", longest: 1)
        }
        #expect(error?.kind == .notFound)
        #expect(error?.what == "cannot keep a copy of the input in \(folder("none"))")
    }

    @Test("TMPDIR says where the copy goes, else the state folder")
    func choosesFolder() {
        #expect(SpoolFile.folder(environment: ["TMPDIR": "/t"], fallback: "/s") == "/t")
        #expect(SpoolFile.folder(environment: ["TMPDIR": ""], fallback: "/s") == "/s")
        #expect(SpoolFile.folder(environment: [:], fallback: "/s") == "/s")
    }

    #if DEBUG
        @Test("A full disk ends the copy with exit code 9")
        func fullDisk() throws {
            let script = FaultScript([.init(call: .write, number: ENOSPC)])
            let error = FaultScript.$current.withValue(script) {
                localFileError { _ = try spool(pattern(600)) }
            }
            #expect(error?.kind == .storageFull)
            #expect(error.map { BargeError($0).kind } == .localFile)
            #expect(folder.names == [])
        }

        @Test("Interrupted and torn calls change nothing")
        func interruptions() throws {
            let script = FaultScript(
                [
                    .init(call: .read, number: EINTR, callsToPass: 2, failures: 3),
                    .init(call: .write, number: EINTR, callsToPass: 1, failures: 3),
                    .init(call: .read, number: EAGAIN, callsToPass: 4, failures: 1),
                ], longestWrite: 1000)
            let bytes = pattern(50_000)
            try FaultScript.$current.withValue(script) {
                let source = try spool(bytes)
                #expect(try source.digest() == UploadSource(bytes: bytes, name: "").digest())
            }
        }
    #endif
}

import Foundation
import Testing

@testable import Barge
@testable import BargeProtocol

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A folder with a transfer of `log.bin` into it.
struct Receiving {
    let folder: TemporaryFolder
    var bytes: [UInt8] { Self.bytes }

    /// More than two chunks.
    private static let bytes = pattern(600_000)

    init() throws { folder = try TemporaryFolder() }

    func open(
        _ local: String = "log.bin", remote: String = "log.bin", serial: String = "A1"
    ) throws -> DownloadTarget {
        let destination = try DownloadDestination(localPath: folder(local), remoteName: remote)
        return try DownloadTarget(destination, deviceSerial: serial)
    }

    /// Leaves a part of `count` bytes behind, as a process that ended does.
    func leavePart(_ count: Int) throws {
        let target = try open()
        try append(bytes[..<count], to: target)
    }

    func append(_ bytes: ArraySlice<UInt8>, to target: DownloadTarget) throws {
        try bytes.withUnsafeBytes { buffer throws in try target.append(buffer) }
    }

    func digest(_ bytes: [UInt8]) throws -> Digest {
        try UploadSource(bytes: bytes, name: "").digest()
    }

    func crc(_ bytes: ArraySlice<UInt8>) -> UInt32 { CRC32.value(of: Array(bytes).span.bytes) }
}

@Suite("A file while it is received")
struct DownloadTargetTests {
    let receiving: Receiving
    var folder: TemporaryFolder { receiving.folder }
    var bytes: [UInt8] { receiving.bytes }

    init() throws { receiving = try Receiving() }

    @Test("It grows as NAME.part and takes its name in one step; nothing else is left")
    func story() throws {
        let target = try receiving.open()
        #expect(target.beginning == .fresh)
        try receiving.append(bytes[..<100_000], to: target)
        try receiving.append(bytes[100_000...], to: target)
        #expect(folder.names == ["log.bin.part", "log.bin.part.journal"])
        #expect(target.heldBytes == 600_000)
        #expect(try target.prefixCheck(upTo: 600_000) == receiving.crc(bytes[...]))
        #expect(try target.prefixCheck(upTo: 300_000) == receiving.crc(bytes[..<300_000]))
        #expect(try target.prefixCheck(upTo: 600_001) == nil)
        #expect(try target.digest() == receiving.digest(bytes))
        try target.finish(overwrite: false)
        #expect(folder.names == ["log.bin"])
        #expect(folder.read("log.bin") == bytes)
    }

    @Test("An empty file is received too")
    func empty() throws {
        let target = try receiving.open()
        #expect(try target.digest() == receiving.digest([]))
        #expect(try target.prefixCheck(upTo: 0) == 0)
        try target.finish(overwrite: false)
        #expect(folder.read("log.bin") == [])
    }

    @Test("The next process goes on behind what has come")
    func resumes() throws {
        try receiving.leavePart(400_000)
        let target = try receiving.open()
        #expect(target.beginning == .resumed(heldBytes: 400_000))
        #expect(target.heldBytes == 400_000)
        #expect(try target.prefixCheck(upTo: 400_000) == receiving.crc(bytes[..<400_000]))
        try receiving.append(bytes[400_000...], to: target)
        #expect(try target.digest() == receiving.digest(bytes))
        try target.finish(overwrite: false)
        #expect(folder.read("log.bin") == bytes)
        #expect(folder.names == ["log.bin"])
    }

    @Test("The digest covers a resumed part even if nobody asked for its prefix check")
    func digestAfterResume() throws {
        try receiving.leavePart(1000)
        let target = try receiving.open()
        try receiving.append(bytes[1000..<2000], to: target)
        #expect(try target.digest() == receiving.digest(Array(bytes[..<2000])))
        try receiving.append(bytes[2000..<3000], to: target)
        #expect(try target.digest() == receiving.digest(Array(bytes[..<3000])))
    }

    @Test("What is behind an offset can be given up, and all of it")
    func truncates() throws {
        let target = try receiving.open()
        try receiving.append(bytes[..<5000], to: target)
        try target.truncate(to: 1000)
        #expect(target.heldBytes == 1000)
        #expect(folder.read("log.bin.part") == Array(bytes[..<1000]))
        try receiving.append(bytes[5000..<6000], to: target)
        let mixed = Array(bytes[..<1000] + bytes[5000..<6000])
        #expect(try target.digest() == receiving.digest(mixed))
        try target.restart()
        #expect(target.heldBytes == 0)
        try receiving.append(bytes[..<10], to: target)
        #expect(try target.digest() == receiving.digest(Array(bytes[..<10])))
    }

    @Test("A try that brought no byte leaves nothing behind")
    func leavesNothing() throws {
        _ = try receiving.open()
        #expect(folder.names == [])
    }

    @Test("A transfer that is given up leaves nothing behind")
    func discards() throws {
        let target = try receiving.open()
        try receiving.append(bytes[..<10], to: target)
        try target.discard()
        #expect(folder.names == [])
    }

    @Test("A second process is told that there is a first, and changes nothing")
    func locks() throws {
        let first = try receiving.open()
        try receiving.append(bytes[..<10], to: first)
        let error = localFileError { _ = try receiving.open() }
        #expect(error?.kind == .busy)
        #expect(error?.why == "another process is receiving the same file")
        #expect(error.map { BargeError($0).kind } == .localFile)
        try first.finish(overwrite: false)
        #expect(folder.read("log.bin") == Array(bytes[..<10]))
    }

    @Test("An existing file is replaced only if that was said, and only at the end")
    func overwrites() throws {
        try folder.write("log.bin", [9, 9])
        let target = try receiving.open()
        try receiving.append(bytes[..<10], to: target)
        #expect(folder.read("log.bin") == [9, 9])
        let error = localFileError { try target.finish(overwrite: false) }
        #expect(error?.kind == .alreadyExists)
        #expect(folder.read("log.bin") == [9, 9])
        #expect(folder.names == ["log.bin", "log.bin.part", "log.bin.part.journal"])
        try target.finish(overwrite: true)
        #expect(folder.read("log.bin") == Array(bytes[..<10]))
        #expect(folder.names == ["log.bin"])
    }

    @Test("A link, a pipe or a folder that appears in the file's place meanwhile is refused")
    func refusesLateLink() throws {
        let target = try receiving.open()
        try receiving.append(bytes[..<10], to: target)
        try folder.write("real", [9, 9])
        try folder.link("log.bin", to: "real")
        #expect(localFileError { try target.finish(overwrite: true) }?.kind == .notAFile)
        #expect(folder.read("real") == [9, 9])
        #expect(unlink(folder("log.bin")) == 0)
        try target.finish(overwrite: true)
        #expect(folder.read("log.bin") == Array(bytes[..<10]))
    }

    @Test("A part that somebody else changes or removes never becomes the file")
    func refusesForeignChange() throws {
        let target = try receiving.open()
        try receiving.append(bytes[..<10], to: target)
        #expect(truncate(folder("log.bin.part"), 9) == 0)
        #expect(localFileError { try target.finish(overwrite: false) }?.kind == .changed)
        #expect(truncate(folder("log.bin.part"), 10) == 0)
        #expect(unlink(folder("log.bin.part")) == 0)
        let error = localFileError { try target.finish(overwrite: false) }
        #expect(error?.kind == .changed)
        #expect(error.map { BargeError($0).kind } == .verification)
        #expect(folder.read("log.bin") == nil)
    }

    @Test(
        "A name that leaves no room for .part is shortened with a hash, and resumes all the same",
        arguments: ["n", "ü"])
    func longNames(_ letter: String) throws {
        let name = String(repeating: letter, count: 254 / letter.utf8.count) + "x"
        let twin = String(name.dropLast()) + "y"
        for _ in 0..<2 {
            let target = try receiving.open(name, remote: name)
            try receiving.append(bytes[..<10], to: target)
        }
        #expect(folder.read(name) == nil)
        #expect(PartNames(target: name).part != PartNames(target: twin).part)
        for path in [PartNames(target: name).journal, PartNames(target: name).older(99)] {
            #expect((path + ".tmp").utf8.count <= 255 + 2)
        }
        let target = try receiving.open(name, remote: name)
        #expect(target.beginning == .resumed(heldBytes: 20))
        try target.finish(overwrite: false)
        #expect(folder.names == [name])
    }
}

@Suite("A part of an earlier try that cannot be trusted")
struct DoubtfulPartTests {
    let receiving: Receiving
    var folder: TemporaryFolder { receiving.folder }

    init() throws {
        receiving = try Receiving()
        try receiving.leavePart(1000)
    }

    private func expectSetAside(
        _ doubt: DownloadTarget.Doubt, serial: String = "A1", remote: String = "log.bin",
        at place: SourceLocation = #_sourceLocation
    ) throws {
        let target = try receiving.open(remote: remote, serial: serial)
        #expect(
            target.beginning
                == .startedOver(olderPart: folder("log.bin.part.old"), because: doubt),
            sourceLocation: place)
        #expect(target.heldBytes == 0, sourceLocation: place)
        #expect(
            folder.read("log.bin.part.old") == Array(receiving.bytes[..<1000]),
            sourceLocation: place)
        #expect(target.beginning.warning?.contains(doubt.sentence) == true)
    }

    @Test("It came from another device")
    func otherDevice() throws {
        try expectSetAside(.otherDevice(serial: "A1"), serial: "B2")
    }

    @Test("It is of another file")
    func otherFile() throws {
        try expectSetAside(.otherFile(name: "log.bin"), remote: "other")
    }

    @Test("Its journal is missing")
    func noJournal() throws {
        #expect(unlink(folder("log.bin.part.journal")) == 0)
        try expectSetAside(.noJournal)
    }

    @Test("Its journal is something else than a file")
    func journalIsLink() throws {
        #expect(unlink(folder("log.bin.part.journal")) == 0)
        try folder.link("log.bin.part.journal", to: "/etc/hostname")
        try expectSetAside(.corruptJournal)
    }

    @Test("The part has a second name: that one keeps its bytes")
    func secondName() throws {
        #expect(link(folder("log.bin.part"), folder("precious")) == 0)
        try expectSetAside(.hasSecondName)
        #expect(folder.read("precious") == Array(receiving.bytes[..<1000]))
    }

    @Test("The part is a link, a pipe or a folder: refused")
    func partIsNoFile() throws {
        for make in [
            { try folder.link("log.bin.part", to: "elsewhere") },
            { _ = mkfifo(folder("log.bin.part"), 0o600) },
            { _ = mkdir(folder("log.bin.part"), 0o700) },
        ] {
            #expect(remove(folder("log.bin.part")) == 0)
            try make()
            #expect(localFileError { _ = try receiving.open() }?.kind == .notAFile)
        }
        #expect(folder.read("elsewhere") == nil)
    }

    @Test("Older parts are kept side by side")
    func numbers() throws {
        for serial in ["B", "C"] {
            let target = try receiving.open(serial: serial)
            try receiving.append([1], to: target)
        }
        #expect(folder.read("log.bin.part.old")?.count == 1000)
        #expect(folder.read("log.bin.part.old-2") == [1])
    }

    @Test("A newer program wrote the journal: nothing is touched")
    func newer() throws {
        let journal = SealedText([]).encoded(kind: "barge-part", version: 2)
        try folder.write("log.bin.part.journal", journal)
        let error = localFileError { _ = try receiving.open() }
        #expect(error?.kind == .newerVersion)
        #expect(folder.read("log.bin.part")?.count == 1000)
        #expect(folder.read("log.bin.part.journal") == journal)
    }

    @Test("A journal that is torn at any byte, or altered at any byte, never resumes")
    func damagedJournals() throws {
        let whole = try #require(folder.read("log.bin.part.journal"))
        var damaged = (0..<whole.count).map { Array(whole[..<$0]) }
        for index in whole.indices {
            for flip: UInt8 in [1 << (index % 8), 0x20, 0xFF] {
                var bytes = whole
                bytes[index] ^= flip
                damaged.append(bytes)
            }
        }
        damaged.append(whole + [0x0A])
        for bytes in damaged {
            try folder.write("log.bin.part.journal", bytes)
            #expect(try PartJournal.read(folder("log.bin.part.journal")) == .corrupt)
        }
        try expectSetAside(.corruptJournal)
    }
}

@Suite("Receiving to the standard output")
struct StreamedDownloadTests {
    private func target(_ descriptor: Int32) throws -> DownloadTarget {
        let destination = try DownloadDestination(localPath: "-", remoteName: "log")
        return DownloadTarget(destination, streamingTo: descriptor)
    }

    private func append(_ bytes: [UInt8], to target: DownloadTarget) throws {
        try bytes.withUnsafeBytes { buffer throws in try target.append(buffer) }
    }

    /// A device can bring this about: it first says that the file is empty, with a digest of its
    /// own, and then sends it.
    @Test("The digest may be asked for, more bytes appended, and asked for again")
    func digestTwice() throws {
        let pipe = Pipe()
        let target = try target(pipe.fileHandleForWriting.fileDescriptor)
        let nothing = try UploadSource(bytes: [], name: "").digest()
        #expect(try target.digest() == nothing)
        try target.restart()
        try append([1, 2, 3], to: target)
        let three = try UploadSource(bytes: [1, 2, 3], name: "").digest()
        #expect(try target.digest() == three)
    }

    @Test("Bytes go out in order and are checked as they pass")
    func streams() throws {
        let pipe = Pipe()
        let target = try target(pipe.fileHandleForWriting.fileDescriptor)
        #expect(target.beginning == .stream)
        let bytes: [UInt8] = [1, 2, 3, 4]
        try append(Array(bytes[..<3]), to: target)
        try append([4], to: target)
        #expect(try target.prefixCheck(upTo: 4) == CRC32.value(of: bytes.span.bytes))
        #expect(try target.prefixCheck(upTo: 0) == 0)
        #expect(try target.prefixCheck(upTo: 2) == nil)
        #expect(
            try target.digest() == UploadSource(bytes: [1, 2, 3, 4], name: "").digest())
        try target.finish(overwrite: false)
        try pipe.fileHandleForWriting.close()
        #expect(try pipe.fileHandleForReading.readToEnd() == Data([1, 2, 3, 4]))
    }

    @Test("What has left cannot be taken back")
    func keepsWhatLeft() throws {
        let pipe = Pipe()
        let target = try target(pipe.fileHandleForWriting.fileDescriptor)
        try target.restart()
        try append([1, 2, 3], to: target)
        try target.truncate(to: 3)
        let error = localFileError { try target.restart() }
        #expect(error?.kind == .changed)
    }

    @Test("A reader that went away is an error and no signal")
    func closedOutput() throws {
        let pipe = Pipe()
        try pipe.fileHandleForReading.close()
        let target = try target(pipe.fileHandleForWriting.fileDescriptor)
        let error = localFileError { try append([1], to: target) }
        #expect(error?.kind == .outputClosed)
        #expect(error?.errorNumber == EPIPE)
        #expect(error.map { BargeError($0).kind } == .outputClosed)
    }

    #if os(Linux)
        @Test("A full device under the output is exit code 9")
        func fullOutput() throws {
            let full = try FileDescriptor(opening: "/dev/full", flags: O_WRONLY)
            let target = try target(full.rawValue)
            let error = localFileError { try append([1], to: target) }
            #expect(error?.kind == .storageFull)
            #expect(error.map { BargeError($0).kind } == .localFile)
            #expect(target.heldBytes == 0)
        }
    #endif
}

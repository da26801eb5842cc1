import Foundation
import Testing

@testable import Barge
@testable import BargeProtocol

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

@Suite("Where a received file goes")
struct DownloadDestinationTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func place(_ path: String?, _ name: String = "log.bin") throws -> String? {
        switch try DownloadDestination(localPath: path, remoteName: name).place {
        case .file(let path): path
        case .standardOutput: nil
        }
    }

    private func digest(_ bytes: [UInt8]) throws -> Digest {
        try UploadSource(bytes: bytes, name: "").digest()
    }

    @Test("To the path that was given, into a folder under its own name, or to standard output")
    func resolves() throws {
        #expect(try place(folder("x")) == folder("x"))
        #expect(try place(folder.path) == folder("log.bin"))
        #expect(try place(folder.path + "/") == folder("log.bin"))
        #expect(try place("-") == nil)
    }

    @Test("Without a path: into the current folder, even a file that is called -")
    func usesCurrentFolder() throws {
        let name = "barge-\(UUID().uuidString)"
        #expect(try place(nil, name) == name)
        #expect(try place(nil, "-") == "-")
        let here = FileManager.default.currentDirectoryPath
        let destination = try DownloadDestination(localPath: nil, remoteName: name)
        #expect(try destination.absolutePath() == "\(here)/\(name)")
    }

    @Test("The part lies beside the file and is called after it")
    func partNames() {
        #expect(PartNames(target: "x").part == "x.part")
        #expect(PartNames(target: "x").older(1) == "x.part.old")
        #expect(PartNames(target: "/x").journal == "/x.part.journal")
        #expect(PartNames(target: "a/./x").older(2) == "a/./x.part.old-2")
    }

    @Test("A link to a folder leads there, a link in the file's place is refused")
    func links() throws {
        try folder.link("here", to: ".")
        #expect(try place(folder("here")) == folder("here/log.bin"))
        try folder.write("real", [1])
        try folder.link("link", to: "real")
        try folder.link("log.bin", to: "/nowhere")
        for path in [folder("link"), folder.path] {
            let error = localFileError { _ = try place(path) }
            #expect(error?.kind == .notAFile)
            #expect(error?.why == "it is a symbolic link")
        }
    }

    @Test("A pipe, a device and a folder in the file's place are refused with exit code 2")
    func refusesOthers() throws {
        #expect(mkfifo(folder("pipe"), 0o600) == 0)
        #expect(mkdir(folder("log.bin"), 0o700) == 0)
        for (path, noun) in [
            (folder("pipe"), "a pipe"), ("/dev/null", "a device"), (folder.path, "a folder"),
        ] {
            let error = localFileError { _ = try place(path) }
            #expect(error?.kind == .notAFile)
            #expect(error?.why == "it is \(noun)")
            #expect(error.map { BargeError($0).kind } == .localFileUnusable)
        }
    }

    @Test("A folder that does not exist is not found, with exit code 3")
    func missingFolder() throws {
        try folder.write("file", [1])
        for path in ["none/x", "none/", "file/x", ""] {
            let error = localFileError { _ = try place(path.isEmpty ? "" : folder(path)) }
            #expect(error?.kind == .notFound)
            #expect(error.map { BargeError($0).kind } == .localFileMissing)
        }
    }

    @Test(
        "BTP-080: a name that is no file name never becomes a path",
        arguments: ["", ".", "..", "a/b", "../x", "a\0b", "a\u{7F}", "\u{85}", "\n"])
    func refusesName(_ name: String) {
        let error = localFileError { _ = try place(folder.path, name) }
        #expect(error?.kind == .badName)
        #expect(error.map { BargeError($0).kind } == .localFileUnusable)
    }

    @Test("BTP-080: a name of 255 bytes is one, of 256 bytes not")
    func nameLengths() throws {
        let longest = String(repeating: "n", count: 255)
        #expect(try place(folder.path, longest) == folder(longest))
        #expect(localFileError { _ = try place(folder.path, longest + "n") }?.kind == .badName)
    }

    @Test("Nothing there: let it come")
    func admitsNew() throws {
        let destination = try DownloadDestination(localPath: folder("x"), remoteName: "x")
        #expect(try destination.existingFile() == nil)
        #expect(try destination.admit(length: 3, digest: nil, overwrite: false) == .transfer)
        let output = try DownloadDestination(localPath: "-", remoteName: "x")
        #expect(try output.admit(length: 3, digest: nil, overwrite: false) == .transfer)
    }

    @Test("The same bytes there: nothing to do")
    func admitsSame() throws {
        let bytes = pattern(3000)
        try folder.write("x", bytes)
        let destination = try DownloadDestination(localPath: folder("x"), remoteName: "x")
        let digest = try digest(bytes)
        #expect(try destination.existingFile() == .init(length: 3000, digest: digest))
        for overwrite in [false, true] {
            let admission = try destination.admit(
                length: 3000, digest: digest, overwrite: overwrite)
            #expect(admission == .unchanged)
        }
    }

    @Test("The same bytes there: what a process left that was killed at its last steps goes")
    func tidies() throws {
        let bytes = pattern(3000)
        let destination = try DownloadDestination(localPath: folder("x"), remoteName: "x")
        func admit() throws {
            let admission = try destination.admit(
                length: 3000, digest: digest(bytes), overwrite: false)
            #expect(admission == .unchanged)
        }
        try folder.write("x", bytes)
        try folder.write("x.part.journal", [1])
        try admit()
        #expect(folder.names == ["x"])
        // Between the link and the removal of the older name.
        try FileManager.default.linkItem(atPath: folder("x"), toPath: folder("x.part"))
        try folder.write("x.part.journal", [1])
        try admit()
        #expect(folder.names == ["x"])
        // A part of something else is not ours to judge.
        try folder.write("x.part", [1, 2])
        try folder.write("x.part.journal", [1])
        try admit()
        #expect(folder.names == ["x", "x.part", "x.part.journal"])
    }

    @Test("Other bytes there: only with force")
    func admitsOther() throws {
        try folder.write("x", [1, 2, 3])
        let destination = try DownloadDestination(localPath: folder("x"), remoteName: "x")
        let other = try digest([1, 2, 4])
        for (length, digest) in [(UInt64(3), other), (4, other), (3, nil)] {
            let error = localFileError {
                _ = try destination.admit(length: length, digest: digest, overwrite: false)
            }
            #expect(error?.kind == .alreadyExists)
            #expect(error?.advice.contains("--force") == true)
            let admission = try destination.admit(
                length: length, digest: digest, overwrite: true)
            #expect(admission == .transfer)
        }
    }
}

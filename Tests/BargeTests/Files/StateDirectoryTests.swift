import Foundation
import Testing

@testable import Barge
@testable import BargeProtocol

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

@Suite("The state directory")
struct StateDirectoryTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func mode(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    @Test("It is created with all folders above it, for its owner alone")
    func creates() throws {
        let state = try StateDirectory(path: folder("a/b/barge"))
        #expect(try mode(folder("a/b/barge")) == 0o700)
        #expect(try mode(folder("a/b/barge/version")) == 0o600)
        #expect(try state.folder("transfers") == folder("a/b/barge/transfers"))
        #expect(try mode(folder("a/b/barge/transfers")) == 0o700)
        _ = try StateDirectory(path: folder("a/b/barge"))
    }

    @Test("What a killed process left half-written is swept; what a living one writes is not")
    func sweeps() throws {
        let state = try StateDirectory(path: folder.path)
        _ = try state.folder("transfers")
        // No system numbers its processes so high (Linux: 2^22).
        let dead = "x.2147483646.tmp"
        let kept = ["x.\(getpid()).tmp", "x.tmp", "x.-1.tmp", "x.2147483646.tmp2"]
        for name in [dead] + kept {
            try folder.write(name, [1])
            try folder.write("transfers/\(name)", [1])
        }
        _ = try StateDirectory(path: folder.path).folder("transfers")
        #expect(folder.names == (kept + ["transfers", "version"]).sorted())
        let inside = try FileManager.default.contentsOfDirectory(atPath: folder("transfers"))
        #expect(inside.sorted() == kept.sorted())
    }

    @Test("A newer layout is refused and left alone, whole or not is told apart")
    func newer() throws {
        _ = try StateDirectory(path: folder.path)
        let newer = SealedText([]).encoded(kind: "barge-state", version: 2)
        try folder.write("version", newer)
        let error = localFileError { _ = try StateDirectory(path: folder.path) }
        #expect(error?.kind == .newerVersion)
        #expect(error.map { BargeError($0).kind } == .localFile)
        #expect(error?.why.contains("layout 2, this one knows 1") == true)
        #expect(folder.read("version") == newer)
    }

    @Test("A damaged version file is refused and left alone, at every byte")
    func corrupt() throws {
        _ = try StateDirectory(path: folder.path)
        let whole = try #require(folder.read("version"))
        for count in 0..<whole.count {
            try folder.write("version", Array(whole[..<count]))
            let error = localFileError { _ = try StateDirectory(path: folder.path) }
            #expect(error?.kind == .corrupt)
        }
        #expect(folder.read("version") == Array(whole.dropLast()))
    }

    @Test("A file in its place, or above it, is a sentence")
    func isFile() throws {
        try folder.write("file", [1])
        for path in ["file", "file/barge"] {
            let error = localFileError { _ = try StateDirectory(path: folder(path)) }
            #expect(error?.kind == .notAFile)
            #expect(error?.why == "\(folder("file")) is not a folder")
        }
    }

    #if os(Linux)
        @Test("A file system that takes no folders is a sentence")
        func procfs() {
            let error = localFileError { _ = try StateDirectory(path: "/proc/self/barge") }
            #expect(error != nil)
            #expect(error?.what == "cannot use the state directory /proc/self/barge")
        }
    #endif

    #if DEBUG
        @Test(
            "A read-only or forbidden directory is exit code 9",
            arguments: [(SystemCall.access, EROFS), (.makeFolder, EACCES), (.open, EROFS)])
        func denied(_ call: SystemCall, _ number: Int32) {
            let script = FaultScript([.init(call: call, number: number)])
            let error = FaultScript.$current.withValue(script) {
                localFileError { _ = try StateDirectory(path: folder("state")) }
            }
            #expect(error?.kind == .denied)
            #expect(error.map { BargeError($0).kind } == .localFile)
        }
    #endif

    @Test("It is where the XDG specification says, and without HOME in the user's own")
    func defaultPaths() throws {
        func path(_ environment: [String: String], home: String? = "/h") throws -> String {
            try StateDirectory.defaultPath(environment: { environment[$0] }, homeOfUser: { home })
        }
        #expect(try path(["XDG_STATE_HOME": "/x", "HOME": "/u"]) == "/x/barge")
        #expect(try path(["XDG_STATE_HOME": "relative", "HOME": "/u"]) == "/u/.local/state/barge")
        #expect(try path(["XDG_STATE_HOME": "", "HOME": "/u/"]) == "/u/.local/state/barge")
        #expect(try path([:]) == "/h/.local/state/barge")
        #expect(localFileError { _ = try path([:], home: nil) }?.kind == .notFound)
    }
}

import Foundation

@testable import Barge

/// A folder that is gone when the test is.
final class TemporaryFolder {
    let path: String

    init() throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("barge-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        path = folder.path
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// The path of `name` in this folder.
    func callAsFunction(_ name: String) -> String { "\(path)/\(name)" }

    /// Writes a file and returns its path.
    @discardableResult
    func write(_ name: String, _ bytes: [UInt8]) throws -> String {
        try Data(bytes).write(to: URL(fileURLWithPath: self(name)))
        return self(name)
    }

    /// The bytes of a file; nil where there is none.
    func read(_ name: String) -> [UInt8]? {
        FileManager.default.contents(atPath: self(name)).map { [UInt8]($0) }
    }

    /// The names in this folder, sorted.
    var names: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
    }

    /// Makes a symbolic link.
    func link(_ name: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(
            atPath: self(name), withDestinationPath: target)
    }

    /// Sets the moment of the last change of a file's bytes.
    func setModified(_ name: String, secondsSince1970: Double) throws {
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: secondsSince1970)],
            ofItemAtPath: self(name))
    }
}

/// `count` bytes that repeat only after a long while.
func pattern(_ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8 &* 7) }
}

/// The error that `body` throws, if it is one of ours.
func localFileError(_ body: () throws -> Void) -> LocalFileError? {
    do {
        try body()
        return nil
    } catch {
        return error as? LocalFileError
    }
}

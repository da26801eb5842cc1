import Foundation

@testable import BargeCLI

/// A state directory of a test's own, which goes with it.
final class StateFolder: Sendable {
    let path: String

    init() throws {
        let url = FileManager.default.temporaryDirectory
            .appending(path: "barge-state-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        path = url.path
    }

    deinit {
        _ = Binary.chmod("u+rwx", path)
        try? FileManager.default.removeItem(atPath: path)
    }

    /// Runs `barge` on this state directory.
    func barge(_ arguments: String..., input: String = "") throws -> Binary.Answer {
        try Binary.run(
            Binary.directory.appending(path: "barge").path,
            arguments + ["--state-dir", path], input: input)
    }

    /// Runs `barge` with words that spaces separate.
    func run(_ line: String) throws -> Binary.Answer {
        let words = line.split(separator: " ").map { String($0) }
        return try Binary.run(
            Binary.directory.appending(path: "barge").path, words + ["--state-dir", path])
    }

    /// Where a file of a device lies.
    func file(_ name: String, of device: String) -> String { "\(path)/sim/\(device)/\(name)" }

    func text(_ name: String, of device: String) throws -> String {
        try String(contentsOfFile: file(name, of: device), encoding: .utf8)
    }

    func write(_ text: String, to name: String, of device: String) throws {
        try Data(text.utf8).write(to: URL(filePath: file(name, of: device)))
    }
}

extension Binary {
    static func chmod(_ mode: String, _ path: String) -> Int32 {
        (try? run("/bin/chmod", [mode, path]).exitCode) ?? -1
    }
}

extension Binary.Answer {
    /// Whether standard error is the three lines of one failure.
    var isOneFailure: Bool {
        errors.split(separator: "\n").map { $0.prefix(6) } == ["error:", "  why:", "  try:"]
    }

    /// The objects on standard output, each of which must be one line of JSON.
    func objects() throws -> [[String: Any]] {
        try lines.map { line in
            let value = try JSONSerialization.jsonObject(with: Data(line.utf8))
            return value as? [String: Any] ?? [:]
        }
    }

    /// The member `facts` of the first object.
    func facts() throws -> [String: Any] {
        try objects().first?["facts"] as? [String: Any] ?? [:]
    }
}

import Foundation
import Testing

/// Runs the real `barge`, and other programs, and hands back all that they said.
struct Binary {
    struct Answer {
        let exitCode: Int32
        let output: String
        let errors: String

        var lines: [String] {
            output.split(separator: "\n").map { String($0) }
        }
    }

    /// The directory in which this test run was built.
    static var directory: URL {
        get throws {
            let root = URL(filePath: #filePath).deletingLastPathComponent()
                .deletingLastPathComponent().deletingLastPathComponent()
            let beside = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
            let candidates = [beside, root.appending(path: ".build/debug")]
            return try #require(
                candidates.first {
                    FileManager.default.isExecutableFile(atPath: $0.appending(path: "barge").path)
                }, "barge is built along with its tests")
        }
    }

    static func barge(_ arguments: String..., input: String = "") throws -> Answer {
        try run(directory.appending(path: "barge").path, arguments, input: input)
    }

    /// Runs a script in bash, with `barge` on the path.
    static func bash(_ script: String) throws -> Answer {
        try run("/bin/bash", ["-c", script])
    }

    static func run(_ program: String, _ arguments: [String], input: String = "") throws -> Answer {
        let process = Process()
        process.executableURL = URL(filePath: program)
        process.arguments = arguments
        var environment = ProcessInfo.processInfo.environment
        environment["PATH"] = try directory.path + ":" + (environment["PATH"] ?? "/usr/bin:/bin")
        environment["NO_COLOR"] = nil
        process.environment = environment
        let (standardInput, output, errors) = (Pipe(), temporaryFile(), temporaryFile())
        defer { [output, errors].forEach { try? FileManager.default.removeItem(at: $0) } }
        process.standardInput = standardInput
        process.standardOutput = try FileHandle(forWritingTo: output)
        process.standardError = try FileHandle(forWritingTo: errors)
        try process.run()
        try standardInput.fileHandleForWriting.write(contentsOf: Data(input.utf8))
        try standardInput.fileHandleForWriting.close()
        process.waitUntilExit()
        return Answer(
            exitCode: process.terminationStatus,
            output: String(decoding: try Data(contentsOf: output), as: UTF8.self),
            errors: String(decoding: try Data(contentsOf: errors), as: UTF8.self))
    }

    /// The path of a program, if this machine has it.
    static func find(_ program: String) -> String? {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        return path.split(separator: ":").map { "\($0)/\(program)" }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    private static func temporaryFile() -> URL {
        let url = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        _ = FileManager.default.createFile(atPath: url.path, contents: nil)
        return url
    }
}

import Foundation

/// PyPI's `imgtool`, the reference implementation of the MCUboot image format.
enum Imgtool {
    static let reason: String =
        "imgtool is not installed: scripts/test puts it into .cache/venv, "
        + "or BARGE_IMGTOOL names it."

    /// Whether the tests with `imgtool` run: also, and then they fail, if all tests are required.
    static var isExpected: Bool {
        FileManager.default.isExecutableFile(atPath: path)
            || ProcessInfo.processInfo.environment["BARGE_REQUIRE_ALL"] == "1"
    }

    private static var path: String {
        ProcessInfo.processInfo.environment["BARGE_IMGTOOL"]
            ?? Samples.root.appending(path: ".cache/venv/bin/imgtool").path
    }

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// What one command line of `imgtool` answered.
    struct Answer: Decodable {
        let status: Int
        let output: String
    }

    /// Runs many command lines in one interpreter, since starting it takes longer than they do.
    static func run(_ commands: [[String]]) throws -> [Answer] {
        let script = """
            import json, sys
            from click.testing import CliRunner
            from imgtool.main import imgtool
            answers = []
            for arguments in json.load(sys.stdin):
                result = CliRunner().invoke(imgtool, arguments)
                answers.append({"status": result.exit_code, "output": result.output})
            json.dump(answers, sys.stdout)
            """
        let output = try Process.output(
            of: interpreter(), ["-c", script], input: JSONEncoder().encode(commands))
        return try JSONDecoder().decode([Answer].self, from: output)
    }

    /// Runs command lines that must succeed.
    static func must(_ commands: [[String]]) throws {
        for (command, answer) in zip(commands, try run(commands)) where answer.status != 0 {
            throw Failure(
                description: "imgtool \(command.joined(separator: " ")): \(answer.output)")
        }
    }

    /// The Python that the script's first line names.
    private static func interpreter() throws -> String {
        let script = try String(contentsOfFile: path, encoding: .utf8)
        guard let line = script.split(separator: "\n").first, line.hasPrefix("#!") else {
            throw Failure(description: "\(path) is not a Python script")
        }
        return String(line.dropFirst(2))
    }
}

extension Process {
    static func output(of path: String, _ arguments: [String], input: Data) throws -> Data {
        let process = Process()
        process.executableURL = URL(filePath: path)
        process.arguments = arguments
        // A file, not a pipe: a child that ends early must not take the tests with it.
        let folder = try TemporaryDirectory()
        try folder.write([UInt8](input), to: "input")
        let outward = Pipe()
        process.standardInput = try FileHandle(
            forReadingFrom: URL(filePath: folder.path("input")))
        process.standardOutput = outward
        try process.run()
        let output = try outward.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Imgtool.Failure(description: "\(path) exited with \(process.terminationStatus)")
        }
        return output
    }
}

/// A directory that goes away with the test.
final class TemporaryDirectory {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "barge-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    func path(_ name: String) -> String { url.appending(path: name).path }

    func write(_ bytes: [UInt8], to name: String) throws {
        try Data(bytes).write(to: url.appending(path: name))
    }

    func bytes(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: url.appending(path: name)))
    }
}

import Foundation
import Testing

/// The Python that runs the peer: anything from 3.9 on does, since the peer needs no packages.
enum Python {
    static let reason =
        "python3 is not on PATH: scripts/setup installs it, with the venv that other tests need."

    /// Whether the tests with the peer run: also, and then they fail, if all tests are required.
    static var isExpected: Bool {
        path != nil || ProcessInfo.processInfo.environment["BARGE_REQUIRE_ALL"] == "1"
    }

    static var path: String? {
        let folders = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        return folders.split(separator: ":").map { "\($0)/python3" }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// A process of one of the peer's scripts, not yet started.
    static func process(_ script: String, _ arguments: [String]) throws -> Process {
        guard let path else { throw Failure(description: reason) }
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "peer")
        let process = Process()
        process.executableURL = URL(filePath: path)
        // -B: no compiled files beside the sources.
        process.arguments = ["-B", folder.appending(path: script).path] + arguments
        return process
    }
}

/// A Python that runs one scenario after the other: starting it takes longer than most of them.
actor ScenarioRunner {
    static let shared = ScenarioRunner()

    private var process: Process?
    private let input = Pipe()
    private let output = Pipe()

    private struct Job: Encodable {
        let scenario: String
        let socket: String
        let mtu: Int?
    }

    /// Runs a scenario against the device at a socket; what it says is the failure where it fails.
    func run(_ scenario: String, at socket: String, over pipe: TestPipe) throws {
        if process == nil {
            let started = try Python.process("run.py", [])
            started.standardInput = input
            started.standardOutput = output
            try started.run()
            process = started
        }
        let job = try JSONEncoder().encode(Job(scenario: scenario, socket: socket, mtu: pipe.mtu))
        try input.fileHandleForWriting.write(contentsOf: job + Data("\n".utf8))
        let line = try output.fileHandleForReading.line()
        let said = try JSONDecoder().decode(String.self, from: line)
        guard said.isEmpty else { throw Python.Failure(description: said) }
    }
}

extension FileHandle {
    /// All that comes up to the end of a line, which is the last thing that its writer says for
    /// now; it may come in pieces.
    func line() throws -> Data {
        var said = Data()
        while said.last != UInt8(ascii: "\n") {
            let piece = availableData
            guard !piece.isEmpty else {
                throw Python.Failure(description: "the peer in Python ended; see above")
            }
            said += piece
        }
        return said
    }
}

/// A socket's path that no other test has.
final class SocketPath {
    let path = FileManager.default.temporaryDirectory
        .appending(path: "barge-\(UUID().uuidString.prefix(13))").path

    deinit { try? FileManager.default.removeItem(atPath: path) }
}

/// What carries a test's frames.
enum TestPipe: Hashable, Sendable, CustomTestStringConvertible {
    case coc
    case gatt(mtu: Int)

    static let all: [TestPipe] = [.coc] + attributes
    /// The least MTU, and those that phones and kernels settle on.
    static let attributes: [TestPipe] = [23, 185, 247, 517].map { .gatt(mtu: $0) }

    var mtu: Int? {
        switch self {
        case .coc: nil
        case .gatt(let mtu): mtu
        }
    }

    var arguments: [String] { mtu.map { ["--mtu", "\($0)"] } ?? [] }

    var testDescription: String { mtu.map { "GATT, MTU \($0)" } ?? "CoC" }
}

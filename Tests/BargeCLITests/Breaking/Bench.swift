import Foundation
import Testing

/// A state directory and a folder for files, with `barge` to run in them, all gone with the test.
final class Bench {
    let folder: URL

    /// - Parameter board: the options with which the device `sim:board` is made.
    init(board: String...) throws {
        folder = FileManager.default.temporaryDirectory.appending(
            path: "barge-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let made = try run(["sim", "create", "board"] + board)
        try #require(made.exitCode == 0, "\(made.errors)")
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// The path of a name in the folder.
    func callAsFunction(_ name: String) -> String { folder.appending(path: name).path }

    @discardableResult
    func write(_ name: String, _ bytes: [UInt8]) throws -> String {
        try Data(bytes).write(to: folder.appending(path: name))
        return self(name)
    }

    func read(_ name: String) -> [UInt8]? {
        FileManager.default.contents(atPath: self(name)).map { [UInt8]($0) }
    }

    /// Whether a file has these bytes; for files so long that nobody wants to read them.
    func holds(_ name: String, _ bytes: [UInt8]) -> Bool { read(name) == bytes }

    var names: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted()
    }

    /// A file of `sim:board`.
    func board(_ name: String) -> String { "state/sim/board/\(name)" }

    /// Runs `barge` to its end.
    func run(_ words: [String], input: String = "") throws -> Binary.Answer {
        try Binary.run(
            Binary.directory.appending(path: "barge").path,
            ["--state-dir", self("state")] + words, input: input)
    }

    func barge(_ words: String...) throws -> Binary.Answer { try run(words) }

    /// Runs `barge --json` to its end.
    func events(_ words: String...) throws -> Events { try Events(run(["--json"] + words)) }

    /// Starts `barge --json` and returns as soon as it has said an event for which `isIt` holds.
    func start(_ words: String..., until isIt: (Event) -> Bool) throws -> RunningBarge {
        let running = try RunningBarge(["--state-dir", self("state"), "--json"] + words)
        let isThere = try running.wait(until: isIt)
        try #require(isThere, "\(running.events.map(\.name))")
        return running
    }

    /// The transfers that `barge resume` would go on with.
    func unfinished() throws -> [Event] { try events("resume", "--list").all }

    /// Lets `sim:board` run as fast as the computer from now on.
    func hurry() throws {
        let path = board("device.conf")
        let text = String(decoding: try #require(read(path)), as: UTF8.self)
        try write(path, Array(text.replacing("pace realtime", with: "pace max").utf8))
    }

    /// `count` bytes that no compression makes shorter: xorshift (Marsaglia 2003).
    static func noise(_ count: Int, seed: UInt32 = 1) -> [UInt8] {
        var state = seed &* 0x9E37_79B9 | 1
        return (0..<count).map { _ in
            state ^= state << 13
            state ^= state >> 17
            state ^= state << 5
            return UInt8(truncatingIfNeeded: state)
        }
    }
}

/// A line of `barge --json`.
struct Event {
    private let fields: [String: Any]

    init(line: some StringProtocol) throws {
        let object = try JSONSerialization.jsonObject(with: Data(line.utf8))
        fields = try #require(object as? [String: Any], "a JSON object a line: \(line)")
        try #require(fields["event"] is String && fields.keys.contains("device"))
    }

    var name: String { self["event"] ?? "" }

    subscript<Value>(field: String) -> Value? { fields[field] as? Value }
}

/// What a run of `barge --json` said, and how it ended.
struct Events {
    let all: [Event]
    let exitCode: Int32
    let errors: String

    init(_ answer: Binary.Answer) throws {
        all = try answer.lines.map { try Event(line: $0) }
        exitCode = answer.exitCode
        errors = answer.errors
    }

    var last: Event? { all.last }
    /// The stable name of the failure that it ended with.
    var error: String? { last?["error"] }
    var result: String? { last?["result"] }
    var reason: String { last?["reason"] ?? "" }
    var advice: String { last?["advice"] ?? "" }
}

/// A `barge --json` that runs.
final class RunningBarge {
    private let process = Process()
    private let output = Pipe()
    private let complaints = Pipe()
    private var rest: [UInt8] = []
    private(set) var events: [Event] = []

    init(_ words: [String]) throws {
        process.executableURL = try Binary.directory.appending(path: "barge")
        process.arguments = words
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = complaints
        try process.run()
    }

    deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

    /// Takes events until one is it; false where the process ended before.
    func wait(until isIt: (Event) -> Bool) throws -> Bool {
        while let event = try next() {
            if isIt(event) { return true }
        }
        return false
    }

    /// Sends a signal, takes what is still said, and waits for the end: the exit code, or minus the
    /// number of the signal that it died of.
    func end(_ signal: Int32) throws -> Int32 {
        kill(process.processIdentifier, signal)
        while try next() != nil {}
        process.waitUntilExit()
        let status = process.terminationStatus
        return process.terminationReason == .uncaughtSignal ? -status : status
    }

    /// What it said on standard error until its end.
    var errors: String {
        String(decoding: complaints.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    }

    private func next() throws -> Event? {
        while true {
            if let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                let event = try Event(line: String(decoding: rest[..<end], as: UTF8.self))
                rest.removeSubrange(...end)
                events.append(event)
                return event
            }
            let added = output.fileHandleForReading.availableData
            guard !added.isEmpty else { return nil }
            rest += added
        }
    }
}

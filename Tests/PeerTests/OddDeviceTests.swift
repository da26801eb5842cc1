import Barge
import Testing

@testable import PeerBridge

/// Devices in Python that do what the page allows and ours never does, or what it forbids.
@Suite(
    "Our host meets odd devices",
    .enabled(if: Python.isExpected, Comment(rawValue: Python.reason)))
struct OddDeviceTests {
    /// What an odd device does is the name of a function in `peer/faults.py`.
    struct Oddity: Sendable, CustomTestStringConvertible {
        let name: String
        let requirements: String
        /// The error that the host sends: code and scope.
        var answer: (code: Int, scope: Int) = (1, 2)

        var testDescription: String {
            "a device that \(name.replacing("_", with: " ")) (\(requirements))"
        }
    }

    @Test(
        "What the page allows, and what an advice mends, does a transfer no harm",
        arguments: [
            Oddity(name: "speaks_of_later_versions", requirements: "BTP-032, BTP-033, BTP-042"),
            Oddity(name: "sends_frames_of_requests_that_are_over", requirements: "BTP-035"),
            Oddity(name: "acknowledges_twice", requirements: "BTP-058"),
            Oddity(name: "sends_a_block_that_does_not_inflate_once", requirements: "BTP-057"),
            Oddity(name: "says_that_the_object_changed_once", requirements: "BTP-074"),
            Oddity(name: "refuses_a_block_once", requirements: "BTP-053"),
            Oddity(name: "reads_another_digest_back_once", requirements: "BTP-065"),
            Oddity(name: "is_busy_with_another_session_once", requirements: "BTP-049, BTP-100"),
        ])
    func harmless(oddity: Oddity) async throws {
        let device = try PythonDevice(over: .coc, "--fault", oddity.name)
        let bytes = PythonDeviceTests.cargo(60_000)
        _ = try await device.push(bytes, as: "a.bin")
        #expect(try await device.pull("a.bin", into: Folder()) == bytes)
        #expect(try await device.host.files(on: device.reference).map(\.name) == ["a.bin"])
    }

    @Test(
        "A device that breaks the page's rules in a push ends the session, and is told",
        arguments: [
            Oddity(name: "commits_another_digest", requirements: "BTP-065"),
            Oddity(name: "acknowledges_what_was_not_sent", requirements: "BTP-058"),
            Oddity(name: "holds_more_than_there_is", requirements: "BTP-060"),
            Oddity(name: "has_a_critical_field", requirements: "BTP-042", answer: (7, 2)),
            Oddity(name: "has_a_hello_that_is_too_long", requirements: "BTP-031", answer: (6, 3)),
            Oddity(name: "speaks_version_two_only", requirements: "BTP-041", answer: (3, 2)),
            Oddity(name: "sends_an_unknown_frame", requirements: "BTP-032", answer: (4, 2)),
            Oddity(
                name: "sends_a_frame_with_a_wrong_check", requirements: "BTP-030", answer: (2, 3)),
            Oddity(name: "says_fin_unasked", requirements: "BTP-048", answer: (5, 2)),
            Oddity(name: "sends_a_request", requirements: "BTP-046", answer: (5, 2)),
            Oddity(name: "answers_another_request", requirements: "BTP-046", answer: (5, 2)),
            Oddity(name: "sends_a_short_body", requirements: "BTP-033"),
            Oddity(name: "sends_an_activity_that_is_not_drawn", requirements: "BTP-036"),
        ])
    func push(oddity: Oddity) async throws {
        let device = try PythonDevice(over: .coc, "--fault", oddity.name)
        await #expect(throws: BargeError.self) {
            try await device.push(PythonDeviceTests.cargo(20_000), as: "a.bin")
        }
        try expectAnswer(oddity, from: device)
    }

    @Test(
        "A device that breaks them in a pull ends the session, and no file gets the name",
        arguments: [
            Oddity(name: "leaves_a_gap", requirements: "BTP-057"),
            Oddity(name: "sends_a_block_of_nothing", requirements: "BTP-057"),
            Oddity(name: "ends_early", requirements: "BTP-070"),
        ])
    func pull(oddity: Oddity) async throws {
        let device = try PythonDevice(over: .coc, "--fault", oddity.name)
        _ = try await device.push(PythonDeviceTests.cargo(20_000), as: "a.bin")
        let folder = try Folder()
        await #expect(throws: BargeError.self) { try await device.pull("a.bin", into: folder) }
        #expect(!folder.names.contains("pulled"))
        try expectAnswer(oddity, from: device)
    }

    @Test("A file whose digest at the end is another does not get its name (BTP-073)")
    func endsWithAnotherDigest() async throws {
        let device = try PythonDevice(over: .coc, "--fault", "ends_with_another_digest")
        _ = try await device.push(PythonDeviceTests.cargo(20_000), as: "a.bin")
        let folder = try Folder()
        await #expect(throws: BargeError.self) { try await device.pull("a.bin", into: folder) }
        #expect(!folder.names.contains("pulled"))
    }

    @Test(
        "A device that breaks them in a list leads nowhere",
        arguments: [
            Oddity(name: "lists_a_way_out", requirements: "BTP-081"),
            Oddity(name: "lists_a_name_twice", requirements: "BTP-081"),
            Oddity(name: "lists_out_of_order", requirements: "BTP-081"),
            Oddity(name: "lists_too_many", requirements: "BTP-081"),
            Oddity(name: "lists_more_of_nothing", requirements: "BTP-081"),
            Oddity(name: "lists_more_without_end", requirements: "BTP-081"),
            Oddity(name: "lists_what_is_not_drawn", requirements: "BTP-036"),
        ])
    func list(oddity: Oddity) async throws {
        let device = try PythonDevice(over: .coc, "--fault", oddity.name)
        await #expect(throws: BargeError.self) {
            try await device.host.files(on: device.reference)
        }
        try expectAnswer(oddity, from: device)
    }

    @Test(
        "An error with an unknown number counts by its scope and advice, and its text is safe",
        arguments: [
            Oddity(name: "refuses_with_an_unknown_code", requirements: "BTP-101"),
            Oddity(name: "ends_the_session_with_an_unknown_code", requirements: "BTP-101"),
        ])
    func unknownCode(oddity: Oddity) async throws {
        let device = try PythonDevice(over: .coc, "--fault", oddity.name)
        let error = await #expect(throws: BargeError.self) {
            try await device.push([1, 2, 3], as: "a.bin")
        }
        #expect(error?.identifier == "device-error-999")
        #expect(error?.description.unicodeScalars.contains("\u{1B}") == false)
    }

    /// Whether the last session ended with the host's error that the page asks for.
    private func expectAnswer(_ oddity: Oddity, from device: PythonDevice) throws {
        let last = try device.stop().last
        #expect(last?.code == oddity.answer.code)
        #expect(last?.scope == oddity.answer.scope)
        #expect(last?.finished == false)
    }
}

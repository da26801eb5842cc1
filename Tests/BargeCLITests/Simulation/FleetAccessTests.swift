import Barge
import Testing

@testable import BargeCLI

/// Counts without a lock: two jobs that compute at once would be seen, or lose a count.
private final class Unlocked: @unchecked Sendable {
    var inside = 0
    var devices: [String] = []
}

@Suite("Many simulated devices at once")
struct FleetAccessTests {
    private let state: StateFolder

    init() throws { state = try StateFolder() }

    private func arguments(_ device: String) throws -> ParsedArguments {
        let words = ["info", device, "--state-dir", state.path]
        guard
            case .run(let arguments) = try ArgumentParser(root: BargeCommand.declaration)
                .parse(words)
        else { throw UsageFailure.missingDevice }
        return arguments
    }

    @Test("What reaches a device and talks to it stays on the run's executor from end to end")
    func serial() async throws {
        let names = ["a", "b", "c", "d", "e"]
        for name in names { #expect(try state.run("sim create \(name)").exitCode == 0) }
        let devices = names.map { "sim:" + $0 }
        let lines = try Dictionary(
            uniqueKeysWithValues: devices.map { ($0, try arguments($0)) })
        let seen = Unlocked()
        let console = RecordingConsole().console
        let course = FleetCourse(devices: devices, plan: FleetPlan(jobs: 3))
        let results = await FleetRun()(course) {
            (run, device: String) async throws(Failure) -> Int in
            guard let line = lines[device] else { throw UsageFailure.missingDevice }
            let access = DeviceAccess(arguments: line, console: console, device: device)
            return try await access.run { (host, reference) throws(BargeError) in
                run.assertIsolated()
                seen.inside += 1
                if seen.inside != 1 { Issue.record("two jobs compute at once") }
                seen.devices.append(device)
                seen.inside -= 1
                let files = try await host.files(on: reference)
                run.assertIsolated()
                return files.count
            }
        }
        #expect(seen.devices.sorted() == devices)
        #expect(FleetSummary(results) { _ in false }.succeeded == 5)
    }
}

import Barge
import Testing

/// The rules in the plainest form: sets of devices, looked through anew for each question.
private struct FleetModel {
    let devices: [Int]
    let plan: FleetPlan
    var started: [Int] = []
    var ended: [Int: FleetCourse<Int>.Outcome] = [:]
    var wasInterrupted = false
    /// Set once, by the rules below, when the reason comes up.
    var halt: FleetHalt?

    var running: [Int] { started.filter { ended[$0] == nil } }

    /// What may start now.
    var mayStart: Int? {
        guard halt == nil, running.count < plan.jobs, started.count < devices.count else {
            return nil
        }
        let canaries = devices.prefix(plan.canaries)
        let next = devices[started.count]
        let isReleased = canaries.allSatisfy { ended[$0] == .succeeded }
        return isReleased || canaries.contains(next) ? next : nil
    }

    mutating func end(_ device: Int, _ outcome: FleetCourse<Int>.Outcome) {
        let canaries = devices.prefix(plan.canaries)
        let wasCanaryTime = !canaries.allSatisfy { ended[$0] == .succeeded }
        ended[device] = outcome
        guard halt == nil, outcome == .failed else { return }
        let failures = ended.values.count { $0 == .failed }
        if wasCanaryTime {
            halt = .canaryFailed
        } else if let limit = plan.failureLimit, limit.isExceeded(by: failures, of: devices.count) {
            halt = .tooManyFailures
        }
    }

    mutating func interrupt() { halt = halt ?? .interrupted }
}

@Suite("The course over many devices, against a model")
struct FleetModelTests {
    private func plan(_ random: inout SplitMix64) -> FleetPlan {
        let limits: [FailureLimit?] = [
            nil, .count(Int.random(in: 0...5, using: &random)),
            .percent(Double.random(in: 0...60, using: &random)),
        ]
        let limit = limits.randomElement(using: &random).flatMap { $0 }
        return FleetPlan(
            jobs: Int.random(in: 1...7, using: &random),
            canaries: Bool.random(using: &random) ? 0 : Int.random(in: 0...40, using: &random),
            failureLimit: limit)
    }

    @Test(
        "Whatever happens in whatever order, it does what the model does, and always finishes",
        arguments: 0..<40 as Range<UInt64>)
    func agreement(block: UInt64) {
        for seed in block * 50..<(block + 1) * 50 {
            var random = SplitMix64(seed: seed)
            follow(&random, seed: seed)
        }
    }

    private func follow(_ random: inout SplitMix64, seed: UInt64) {
        let given = (0..<Int.random(in: 0...40, using: &random)).map { _ in
            Int.random(in: 0..<50, using: &random)
        }
        let plan = plan(&random)
        var course = FleetCourse(devices: given, plan: plan)
        let unique = given.enumerated().filter { !given[..<$0.offset].contains($0.element) }
        var model = FleetModel(devices: unique.map(\.element), plan: plan)
        #expect(course.devices == model.devices, "seed \(seed)")
        let badLuck = Int.random(in: 0...4, using: &random)
        // Each device starts and ends at most once; more steps than that would be a circle.
        for _ in 0...(2 * given.count + 2) {
            if Int.random(in: 0..<40, using: &random) == 0 {
                course.interrupt()
                model.interrupt()
            }
            switch course.next() {
            case .start(let device):
                #expect(model.mayStart == device, "seed \(seed)")
                #expect(!model.started.contains(device), "seed \(seed)")
                model.started.append(device)
                #expect(model.running.count <= plan.jobs, "seed \(seed)")
            case .wait:
                #expect(model.mayStart == nil, "seed \(seed)")
                guard let device = model.running.randomElement(using: &random) else {
                    Issue.record("waits for nothing, seed \(seed)")
                    return
                }
                let fails = Int.random(in: 0..<10, using: &random) < badLuck
                course.ended(device, fails ? .failed : .succeeded)
                model.end(device, fails ? .failed : .succeeded)
            case .finished:
                expectEnd(course, model, seed: seed)
                return
            }
        }
        Issue.record("it does not finish, seed \(seed)")
    }

    private func expectEnd(_ course: FleetCourse<Int>, _ model: FleetModel, seed: UInt64) {
        #expect(model.running.isEmpty && model.mayStart == nil, "seed \(seed)")
        let rest = model.devices.dropFirst(model.started.count)
        #expect(Array(course.notStarted) == Array(rest), "seed \(seed)")
        #expect(course.halt == (rest.isEmpty ? nil : model.halt), "seed \(seed)")
        #expect(rest.isEmpty || course.halt != nil, "seed \(seed)")
    }
}

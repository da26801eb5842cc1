import Barge
import Testing

/// Counts without a lock: two jobs that compute at once would be seen, or lose a count.
private final class Unlocked: @unchecked Sendable {
    var inside = 0
    var underWay = 0
    var mostUnderWay = 0
    var steps = 0
    var begun: [Int] = []
}

private enum JobFailure: Error, Equatable {
    case broken(Int)
    case stopped
}

/// A hop to another thread and back, as an answer from a device is one.
private func elsewhere() async { await Task.detached {}.value }

/// An async function of a library, which computes where its caller does.
private func library(on run: FleetRun) async { run.assertIsolated() }

/// A function that hands its caller's closure on, as those that open a device do.
private func opening(_ body: () async -> Void) async {
    await elsewhere()
    await body()
}

/// Returns when the task is canceled.
private func untilCanceled() async {
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
    for await _ in stream {}
    continuation.finish()
}

@Suite("The run over many devices")
struct FleetRunTests {
    @Test("Two jobs never compute at once, and never more are under way than there are jobs")
    func serial() async {
        let seen = Unlocked()
        let course = FleetCourse(devices: Array(0..<1_000), plan: FleetPlan(jobs: 50))
        let results = await FleetRun()(course) {
            (run, device: Int) async throws(JobFailure) -> Int in
            run.assertIsolated()
            seen.begun.append(device)
            seen.underWay += 1
            seen.mostUnderWay = max(seen.mostUnderWay, seen.underWay)
            for _ in 0..<5 {
                seen.inside += 1
                if seen.inside != 1 { Issue.record("two jobs compute at once") }
                for _ in 0..<100 { seen.steps += 1 }
                seen.inside -= 1
                await elsewhere()
                run.assertIsolated()
            }
            seen.underWay -= 1
            return device * 2
        }
        #expect(seen.steps == 1_000 * 5 * 100)
        #expect(seen.mostUnderWay == 50)
        #expect(seen.begun.sorted() == Array(0..<1_000))
        #expect(results == (0..<1_000).map { FleetResult(device: $0, outcome: .succeeded($0 * 2)) })
    }

    @Test("What a job calls, and closures that it hands on, stay on the run's executor")
    func inherits() async {
        _ = await FleetRun()(FleetCourse(devices: [1, 2], plan: FleetPlan(jobs: 2))) {
            (run, _: Int) async throws(JobFailure) in
            await library(on: run)
            await elsewhere()
            await library(on: run)
            await opening {
                run.assertIsolated()
                await opening { await library(on: run) }
                run.assertIsolated()
            }
        }
    }

    @Test("Results come in the order of the devices, each with its own value or error")
    func order() async {
        let course = FleetCourse(devices: [3, 1, 3, 2], plan: FleetPlan(jobs: 3))
        let results = await FleetRun()(course) {
            (_, device: Int) async throws(JobFailure) -> String in
            for _ in 0..<device { await elsewhere() }
            guard device != 1 else { throw .broken(device) }
            return "done \(device)"
        }
        #expect(
            results == [
                FleetResult(device: 3, outcome: .succeeded("done 3")),
                FleetResult(device: 1, outcome: .failed(.broken(1))),
                FleetResult(device: 2, outcome: .succeeded("done 2")),
            ])
        let summary = FleetSummary(results) { $0 == "done 2" }
        #expect(summary.total == 3 && summary.succeeded == 1)
        #expect(summary.skipped == 1 && summary.failed == 1 && summary.notStarted == 0)
    }

    @Test("A canary that fails keeps every other device untouched")
    func canary() async {
        let seen = Unlocked()
        let plan = FleetPlan(jobs: 4, canaries: 2)
        let course = FleetCourse(devices: Array(0..<9), plan: plan)
        let results = await FleetRun()(course) { (_, device: Int) async throws(JobFailure) in
            seen.begun.append(device)
            await elsewhere()
            if device == 0 { throw .broken(0) }
        }
        #expect(seen.begun.sorted() == [0, 1])
        #expect(FleetSummary(results) { _ in false }.notStarted == 7)
        guard case .notStarted(.canaryFailed) = results[2].outcome else {
            Issue.record("\(results[2])")
            return
        }
    }

    @Test("Canceled, it cancels its jobs, waits for them, and starts no other")
    func cancellation() async {
        let seen = Unlocked()
        let (started, signal) = AsyncStream.makeStream(of: Void.self)
        let course = FleetCourse(devices: Array(0..<100), plan: FleetPlan(jobs: 3))
        let task = Task {
            await FleetRun()(course) { (_, device: Int) async throws(JobFailure) in
                seen.begun.append(device)
                if seen.begun.count == 3 { signal.finish() }
                await untilCanceled()
                // Coming to a tidy end takes a while, and is waited for.
                for _ in 0..<10 { await elsewhere() }
                seen.steps += 1
                throw .stopped
            }
        }
        for await _ in started {}
        task.cancel()
        let results = await task.value
        #expect(seen.begun.sorted() == [0, 1, 2])
        #expect(seen.steps == 3)
        #expect(results.count == 100)
        for result in results {
            switch result.outcome {
            case .failed(.stopped): #expect(result.device < 3)
            case .notStarted(.interrupted): #expect(result.device >= 3)
            case .succeeded, .failed, .notStarted: Issue.record("\(result)")
            }
        }
    }

    @Test("A run that was canceled before it began starts nothing")
    func canceledBefore() async {
        let seen = Unlocked()
        let course = FleetCourse(devices: [1, 2], plan: FleetPlan(jobs: 2))
        let task = Task {
            await untilCanceled()
            return await FleetRun()(course) { (_, device: Int) async throws(JobFailure) in
                seen.begun.append(device)
            }
        }
        task.cancel()
        let results = await task.value
        #expect(seen.begun.isEmpty)
        #expect(FleetSummary(results) { _ in false }.notStarted == 2)
    }

    @Test("Nothing of a run stays behind: neither the run nor what its jobs held")
    func nothingLeaks() async {
        weak var run: FleetRun?
        weak var held: Unlocked?
        do {
            let aRun = FleetRun()
            let aThing = Unlocked()
            (run, held) = (aRun, aThing)
            let course = FleetCourse(devices: Array(0..<20), plan: FleetPlan(jobs: 4))
            _ = await aRun(course) { (_, _: Int) async throws(JobFailure) in
                await elsewhere()
                aThing.steps += 1
            }
        }
        #expect(run == nil && held == nil)
    }
}

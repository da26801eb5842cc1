import Barge
import Testing

@Suite("The course over many devices")
struct FleetCourseTests {
    /// Starts whatever may start.
    private func startAll(_ course: inout FleetCourse<Int>) -> [Int] {
        var started: [Int] = []
        while case .start(let id) = course.next() { started.append(id) }
        return started
    }

    @Test("As many devices start as there are jobs, and one more for each that ends")
    func jobs() {
        var course = FleetCourse(devices: [1, 2, 3, 4], plan: FleetPlan(jobs: 2))
        #expect(startAll(&course) == [1, 2])
        #expect(course.next() == .wait)
        course.ended(2, .succeeded)
        #expect(startAll(&course) == [3])
        course.ended(1, .failed)
        #expect(startAll(&course) == [4])
        course.ended(3, .succeeded)
        #expect(course.next() == .wait)
        course.ended(4, .succeeded)
        #expect(course.next() == .finished)
        #expect(course.halt == nil && course.notStarted.isEmpty)
    }

    @Test("A device that is given again counts once, and is told")
    func duplicates() {
        var course = FleetCourse(devices: [3, 1, 3, 2, 1, 3], plan: FleetPlan(jobs: 9))
        #expect(course.devices == [3, 1, 2])
        #expect(course.duplicates == [3, 1])
        #expect(startAll(&course) == [3, 1, 2])
    }

    @Test("No devices are finished at once")
    func none() {
        var course = FleetCourse<Int>(devices: [], plan: FleetPlan(jobs: 1, canaries: 3))
        #expect(course.next() == .finished)
    }

    @Test("The rest starts when the last canary has succeeded, and no sooner")
    func canaries() {
        let plan = FleetPlan(jobs: 4, canaries: 2)
        var course = FleetCourse(devices: [1, 2, 3, 4], plan: plan)
        #expect(startAll(&course) == [1, 2])
        course.ended(2, .succeeded)
        #expect(course.next() == .wait)
        course.ended(1, .succeeded)
        #expect(startAll(&course) == [3, 4])
    }

    @Test("Canaries are held to the number of jobs as well")
    func canariesAndJobs() {
        let plan = FleetPlan(jobs: 1, canaries: 2)
        var course = FleetCourse(devices: [1, 2, 3], plan: plan)
        #expect(startAll(&course) == [1])
        course.ended(1, .succeeded)
        #expect(startAll(&course) == [2])
    }

    @Test("A canary that fails halts the rest, also the canaries that have not started")
    func canaryFails() {
        let plan = FleetPlan(jobs: 2, canaries: 3)
        var course = FleetCourse(devices: [1, 2, 3, 4], plan: plan)
        #expect(startAll(&course) == [1, 2])
        course.ended(1, .failed)
        #expect(course.next() == .wait)
        course.ended(2, .succeeded)
        #expect(course.next() == .finished)
        #expect(course.halt == .canaryFailed)
        #expect(Array(course.notStarted) == [3, 4])
    }

    @Test("More canaries than devices are all of them")
    func allCanaries() {
        let plan = FleetPlan(jobs: 9, canaries: 9)
        var course = FleetCourse(devices: [1, 2], plan: plan)
        #expect(startAll(&course) == [1, 2])
        course.ended(1, .succeeded)
        course.ended(2, .succeeded)
        #expect(course.next() == .finished)
    }

    @Test("As many failures as the limit says are borne, and one more halts")
    func failures() {
        let plan = FleetPlan(jobs: 1, failureLimit: .count(1))
        var course = FleetCourse(devices: [1, 2, 3, 4], plan: plan)
        _ = startAll(&course)
        course.ended(1, .failed)
        #expect(startAll(&course) == [2])
        course.ended(2, .failed)
        #expect(course.next() == .finished)
        #expect(course.halt == .tooManyFailures)
        #expect(Array(course.notStarted) == [3, 4])
    }

    /// The limit is `percent * devices / 100`; the numbers of each row are exact.
    @Test(
        "A share counts of all devices, and meeting it exactly is no excess",
        arguments: [
            (0, 10, 0, false), (0, 10, 1, true), (10, 30, 3, false), (10, 30, 4, true),
            (1.1, 3_000, 33, false), (1.1, 3_000, 34, true), (0.07, 10_000, 7, false),
            (0.07, 10_000, 8, true), (99.9, 1_000, 999, false), (99.9, 1_000, 1_000, true),
            (100, 7, 7, false), (50, 3, 1, false), (50, 3, 2, true),
        ] as [(Double, Int, Int, Bool)])
    func percent(percent: Double, devices: Int, failures: Int, isTooMuch: Bool) {
        let limit = FailureLimit.percent(percent)
        #expect(limit.isExceeded(by: failures, of: devices) == isTooMuch)
    }

    @Test("An interruption starts nothing more, and the first reason to halt stays")
    func interruption() {
        let plan = FleetPlan(jobs: 2, failureLimit: .count(0))
        var course = FleetCourse(devices: [1, 2, 3], plan: plan)
        _ = startAll(&course)
        course.interrupt()
        course.ended(1, .failed)
        #expect(course.next() == .wait)
        #expect(course.halt == .interrupted)
        course.ended(2, .failed)
        #expect(course.next() == .finished)
        #expect(course.halt == .interrupted)
    }

    @Test("A halt that held nothing back is none")
    func lateHalt() {
        let plan = FleetPlan(jobs: 2, failureLimit: .count(0))
        var course = FleetCourse(devices: [1], plan: plan)
        _ = startAll(&course)
        course.ended(1, .failed)
        course.interrupt()
        #expect(course.halt == nil)
    }

    @Test("A device that ends twice, or was never started, is the caller's mistake")
    func illegalCalls() async {
        await #expect(processExitsWith: .failure) {
            var course = FleetCourse(devices: [1, 2], plan: FleetPlan(jobs: 1))
            _ = course.next()
            course.ended(2, .succeeded)
        }
        await #expect(processExitsWith: .failure) {
            var course = FleetCourse(devices: [1], plan: FleetPlan(jobs: 1))
            _ = course.next()
            course.ended(1, .succeeded)
            course.ended(1, .succeeded)
        }
    }
}

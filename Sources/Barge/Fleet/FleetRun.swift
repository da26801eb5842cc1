/// Carries out a run over many devices: a job for each of them, so many at once as the plan says.
///
/// All jobs of a run are isolated to this actor. Between two of its awaits a job has the whole run
/// for itself, so what jobs share needs no lock; and a simulated radio, whose time goes on whenever
/// all tasks wait, never sees one job compute while another one waits for it.
public actor FleetRun {
    /// A run that has not begun.
    public init() {}

    /// Runs `job` for each device of the course, and returns what came of each, in their order.
    ///
    /// Tasks exist for devices under way alone, however many wait for their turn. If the calling
    /// task is canceled, every job's task is, no other one starts, and this returns when all jobs
    /// have ended: a job should throw soon then, and what it throws is its device's failure.
    ///
    /// - Parameters:
    ///   - course: the devices and the plan, of which nothing has started.
    ///   - job: what is to be done for a device, isolated to this actor, which it is handed for
    ///     that: Swift 6.3 runs a closure that shall only inherit its caller's isolation
    ///     (`nonisolated(nonsending)`) without any.
    public func callAsFunction<ID, Value, Failure>(
        _ course: FleetCourse<ID>,
        job: @escaping @Sendable (isolated FleetRun, ID) async throws(Failure) -> Value
    ) async -> [FleetResult<ID, Value, Failure>] {
        typealias Ended = (device: ID, result: Result<Value, Failure>)
        var course = course
        var results: [ID: Result<Value, Failure>] = [:]
        await withTaskGroup(of: Ended.self) { group in
            while true {
                // Looked at before each start: a job must not begin in a run that was called off
                // while the last one ended.
                if Task.isCancelled { course.interrupt() }
                switch course.next() {
                case .start(let device):
                    group.addTask { (device, await self.result(of: job, device)) }
                case .wait:
                    guard let ended = await group.next() else {
                        preconditionFailure("a device is under way without a task")
                    }
                    results[ended.device] = ended.result
                    switch ended.result {
                    case .success: course.ended(ended.device, .succeeded)
                    case .failure: course.ended(ended.device, .failed)
                    }
                case .finished: return
                }
            }
        }
        return Self.inOrder(results, course)
    }

    /// The hop onto the actor: the task that calls this has no isolation of its own, and computes
    /// nothing.
    private func result<ID, Value, Failure>(
        of job: (isolated FleetRun, ID) async throws(Failure) -> Value, _ device: ID
    ) async -> Result<Value, Failure> {
        do throws(Failure) {
            return .success(try await job(self, device))
        } catch {
            return .failure(error)
        }
    }

    private static func inOrder<ID, Value, Failure>(
        _ results: [ID: Result<Value, Failure>], _ course: FleetCourse<ID>
    ) -> [FleetResult<ID, Value, Failure>] {
        course.devices.map { device in
            switch results[device] {
            case .success(let value): FleetResult(device: device, outcome: .succeeded(value))
            case .failure(let error): FleetResult(device: device, outcome: .failed(error))
            case nil:
                FleetResult(device: device, outcome: .notStarted(course.halt ?? .interrupted))
            }
        }
    }
}

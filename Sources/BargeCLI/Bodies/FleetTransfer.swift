import Barge
import BluetoothSimulation

/// One command over many devices: each comes to the bench when its turn does, its transfer runs,
/// and what came of it is told, remembered and reported.
struct FleetTransfer: Sendable {
    /// The transfer of one device, by its host.
    typealias Job =
        @Sendable (
            BargeHost<SimulatedCentral>, DeviceReference, _ device: String,
            @escaping (TransferEvent) -> Void
        ) async throws(BargeError) -> TransferSummary

    let verb: UnfinishedTransfer.Verb
    /// What events and reports call the image or file.
    let name: String
    /// Of the image, in lower case hexadecimal; nil where each device has its own.
    let sha256: String?
    let remote: UnfinishedTransfer.Remote
    let arguments: ParsedArguments
    let console: Console

    /// - Parameters:
    ///   - devices: as named; none where they are to be searched for.
    ///   - localPath: the file on this computer that a device's transfer is about.
    func run(
        _ devices: [String], localPath: @escaping @Sendable (String) -> String,
        job: @escaping Job
    ) async throws(Failure) -> ExitCode {
        let settings = FleetSettings(arguments)
        // Before the first byte is sent.
        let report = try settings.report.map { (path) throws(Failure) in
            try FleetReportFile(path: path)
        }
        let targets: [DeviceTarget]
        do throws(Failure) {
            targets = try await find(devices, settings)
        } catch {
            // A script must not take the report of an earlier run for this one's.
            try report?.write(
                self.report([], began: System.secondsSince1970(), code: error.exitCode))
            throw error
        }
        let bench = try SimulatedBench(
            for: targets.map(\.simulatedName), stateDirectory: try StateLocation.path(arguments),
            console: console)
        let course = FleetCourse(devices: targets, plan: plan(settings))
        remark(on: settings, bench, targets.count)
        let table = FleetTable(console: console, total: course.devices.count)
        let began = System.secondsSince1970()
        let results = await FleetRun()(course) { (run, target) throws(Failure) in
            try await self.transfer(
                target, on: bench, run, table: table, localPath: localPath(target.title), job)
        }
        remember(results)
        let code = tell(results, table)
        try report?.write(
            self.report(
                table.results(of: results.map(\.device.title)), began: began,
                seconds: table.seconds, code: code))
        return code
    }

    private func report(
        _ devices: [FleetReport.Device], began: UInt64, seconds: Double = 0, code: ExitCode
    ) -> FleetReport {
        FleetReport(
            verb: verb, name: name, sha256: sha256, startedSeconds: began,
            endedSeconds: System.secondsSince1970(), seconds: seconds, exitCode: code,
            devices: devices)
    }

    /// What may surprise whoever wrote the line.
    private func remark(on settings: FleetSettings, _ bench: SimulatedBench, _ count: Int) {
        if count > 1, settings.canaries >= count {
            console.remark("note: there are \(count) devices, and all of them are canaries")
        }
        if count > 1, bench.radio.pace == .realtime {
            console.remark("note: one of the devices runs in real time, so all of them do")
        }
    }

    /// What the line asks for, as far as this process can have so many devices open.
    private func plan(_ settings: FleetSettings) -> FleetPlan {
        var plan = settings.plan(adapterLinks: SimulatedBench.adapterLinks)
        let most = SimulatedBench.mostAtOnce(openFiles: System.raiseOpenFileLimit())
        if plan.jobs > most {
            console.errorLine(
                "warning: this process may open too few files for \(plan.jobs) devices at once; "
                    + "\(most) are under way at a time ('ulimit -n')")
            plan.jobs = most
        }
        return plan
    }

    // MARK: One device

    /// What is kept of a device that is done.
    struct Done: Sendable {
        let result: TransferSummary
        let sighting: DeviceSighting?
    }

    private func transfer(
        _ target: DeviceTarget, on bench: SimulatedBench, _ run: isolated FleetRun,
        table: FleetTable, localPath: String, _ job: Job
    ) async throws(Failure) -> Done {
        let device = target.title
        table.began(device)
        do throws(Failure) {
            let alone = arguments.alone(device)
            let memory = try TransferMemory(
                verb, alone, console: console, localPath: localPath, remote: remote)
            let teller = EventTeller(
                FleetAudience(console: console, table: table, device: device), console: console,
                security: arguments[LinkOptions.security], operation: verb, name: name,
                memory: memory)
            let summary = try await memory.keeping { () throws(Failure) in
                try await DeviceAccess.run(
                    target, on: bench, alone, console, home: run
                ) { (host, reference) throws(BargeError) in
                    try await job(host, reference, device) { teller.tell($0) }
                }
            }
            if let finished = teller.finished { table.succeeded(device, finished) }
            return Done(result: summary, sighting: teller.sighting)
        } catch {
            if error.exitCode == .interrupted {
                table.wasNotDone(device, .interrupted)
            } else {
                table.failed(device, error)
            }
            throw error
        }
    }

    // MARK: Before and after

    /// The devices in the order of the line, each once however it is called.
    private func find(
        _ devices: [String], _ settings: FleetSettings
    ) async throws(Failure) -> [DeviceTarget] {
        let resolver = try DeviceResolver(arguments, console)
        if let search = settings.search { return try await resolver.search(search) }
        var targets: [DeviceTarget] = []
        for device in devices {
            let target = try await resolver.resolve(device)
            if let first = targets.first(where: { $0.simulatedName == target.simulatedName }) {
                let other = first.title == device ? "named twice" : "also \(first.title)"
                console.errorLine(
                    "warning: \(device.printable) is \(other.printable); it is done once")
            } else {
                targets.append(target)
            }
        }
        return targets
    }

    private typealias Results = [FleetResult<DeviceTarget, Done, Failure>]

    /// Where each device was, noted at once for all of them.
    private func remember(_ results: Results) {
        let sightings = results.compactMap { result in
            if case .succeeded(let done) = result.outcome { done.sighting } else { nil }
        }
        do throws(Failure) {
            for warning in try KnownDevices.open(arguments).note(sightings) {
                console.errorLine("warning: \(warning.sentence)")
            }
        } catch {
            console.errorLine("warning: the devices are not remembered: \(error.why)")
        }
    }

    /// Tells of those whose turn never came, and the sums; answers with the worst that happened.
    private func tell(_ results: Results, _ table: FleetTable) -> ExitCode {
        var codes: [ExitCode] = []
        var halt: FleetHalt?
        for result in results {
            switch result.outcome {
            case .succeeded: codes.append(.done)
            case .failed(let failure):
                codes.append(failure.exitCode)
                if failure.exitCode == .interrupted { halt = .interrupted }
            case .notStarted(let reason):
                halt = reason
                if reason == .interrupted { codes.append(.interrupted) }
                table.wasNotDone(result.device.title, reason)
            }
        }
        let code = ExitCode.worst(codes)
        table.ended(exitCode: code, halt: halt)
        return code
    }
}

extension KnownDevices {
    /// As `remember`, with the failure that a command line tells.
    fileprivate func note(_ sightings: [DeviceSighting]) throws(Failure) -> [Warning] {
        do throws(LocalFileError) {
            return try remember(sightings)
        } catch {
            throw Failure(state: error)
        }
    }
}

import BargePeripheral
import BluetoothSimulation

extension SimulationListCommand {
    @Sendable static func run(
        _ arguments: ParsedArguments, _ console: Console
    ) async throws(Failure) -> ExitCode {
        let directory = SimulationDirectory(
            stateDirectory: try StateLocation.path(arguments))
        let overviews = try directory.allNames().map(directory.overview)
        if console.settings.json {
            for overview in overviews {
                console.json(RecordSchema.simulated.json(overview.facts, device: overview.peer))
            }
        } else {
            console.lines(TextLayout.table(overviews.map(\.row)).map(\.printable))
        }
        return .done
    }
}

extension SimulationRemoveCommand {
    @Sendable static func run(
        _ arguments: ParsedArguments, _ console: Console
    ) async throws(Failure) -> ExitCode {
        let name = arguments[name]
        let directory = SimulationDirectory(
            stateDirectory: try StateLocation.path(arguments))
        guard try directory.exists(name) else {
            guard name == SimulationDirectory.demonstration else {
                throw SimulationFailure.missing(name)
            }
            console.news("sim:\(name) is as new already")
            return .done
        }
        let lock = try await DeviceLock.wait(
            for: directory.files(of: name), patience: .zero, console: console)
        try directory.remove(name)
        withExtendedLifetime(lock) {}
        if console.settings.json {
            console.json(RecordSchema.removed.json("sim:\(name)", device: "sim:\(name)"))
        } else {
            console.news("removed sim:\(name)")
        }
        return .done
    }
}

extension SimulationRebootCommand {
    @Sendable static func run(
        _ arguments: ParsedArguments, _ console: Console
    ) async throws(Failure) -> ExitCode {
        let name = arguments[name]
        let bench = try SimulatedBench(
            for: [name], stateDirectory: try StateLocation.path(arguments), console: console)
        _ = try await bench.enter(
            name, patience: SimulatedDevice.patience, isPowerCycle: true)
        let report = bench.bootReport(of: name)
        try bench.leave(name)
        guard let report else { throw SimulationFailure.nothingStarts(name) }
        if console.settings.json {
            console.json(RecordSchema.simulated.json(report.facts, device: "sim:\(name)"))
        } else {
            console.news("sim:\(name) runs slot \(report.slot): \(report.reason.sentence)")
        }
        return .done
    }
}

extension BootReport {
    fileprivate var facts: [Fact] {
        [
            Fact("runningSlot", label: "running slot", .string("\(slot)"), text: "\(slot)"),
            Fact("bootReason", label: "boot", .string(reason.rawValue), text: reason.sentence),
            Fact(
                "bootedSha256", label: "SHA-256", .string("\(image.sha256)"),
                text: "\(image.sha256)"),
        ]
    }
}

extension BootReport.Reason {
    /// Why this image runs.
    fileprivate var sentence: String {
        switch self {
        case .permanent: "the confirmed image"
        case .trial: "an image on trial, which gives way at the next reset unless it is confirmed"
        case .reverted: "the image before the one on trial, which nobody confirmed"
        case .candidateDamaged: "the confirmed image, since the one to be tried is damaged"
        case .trialPostponed: "the confirmed image, since the trial could not be recorded"
        case .permanentDamaged: "the other image, since the confirmed one is damaged"
        }
    }
}

import Barge

/// Options of the commands that take many devices.
enum FleetOptions {
    /// The most devices that a number on the command line may stand for.
    static let mostDevices = 100_000

    static let all = Option(
        flag: "all",
        "Take every device in range that speaks barge; --service and --name let fewer through")
    static let name = Option(
        "name", ValueKind.text("PATTERN"),
        "With --all: only names that match PATTERN, case included; * is any text, ? a character")
    static let service = Option(
        "service", ValueKind.uuid, "With --all: only devices that advertise the service UUID")
    static let jobs = Option(
        "jobs", ValueKind.integer(1...FleetPlan.mostJobs),
        "Be under way with N devices at once; as many as the adapter holds, if missing")
    static let canary = Option(
        "canary", ValueKind.integer(1...mostDevices),
        "Do N devices first, and the others only if all of those succeed")
    static let maxFailures = Option(
        "max-failures", ValueKind.failureLimit(most: mostDevices),
        "Start no device after more than N failures, or more than P% of all devices")
    static let report = Option(
        "report", ValueKind.reportPath,
        "Write what came of each device to FILE, in JSON, or in JUnit's XML where it ends in .xml"
            + " ('barge help reports')")

    static let group = OptionGroup(
        title: "Many devices", isShared: true,
        options: [
            all.declaration, name.declaration, service.declaration, jobs.declaration,
            canary.declaration, maxFailures.declaration, report.declaration,
        ])

    /// Whether a line asks for anything but one device in the plainest way.
    static func areGiven(_ arguments: ParsedArguments) -> Bool {
        group.options.contains { arguments.optionTexts[$0.name] != nil }
    }

    /// Devices are named or looked for, one of the two.
    static func rule(_ arguments: ParsedArguments, devices: [String]) -> Failure? {
        if arguments[all], let device = devices.first {
            return UsageFailure.contradiction(
                "--all", device, why: "one asks for every device, the other for this one")
        }
        if !arguments[all] {
            let pattern = [name.declaration, service.declaration].first {
                arguments.optionTexts[$0.name] != nil
            }
            if let pattern { return UsageFailure.without("--all", option: "--" + pattern.name) }
        }
        guard devices.isEmpty, !arguments[all] else { return nil }
        return UsageFailure.missingDevice
    }
}

/// How many devices are run, as one command line asks for it.
struct FleetSettings: Sendable {
    /// As many as the adapter holds, if nil.
    let jobs: Int?
    let canaries: Int
    let failureLimit: FailureLimit?
    let report: String?
    /// Which devices to look for; nil where they are named.
    let search: Search?

    /// What `--all` lets through.
    struct Search: Equatable, Sendable {
        let namePattern: String?
        /// In upper case, with 4, 8 or 36 characters.
        let service: String?
    }

    init(_ arguments: ParsedArguments) {
        jobs = arguments[FleetOptions.jobs]
        canaries = arguments[FleetOptions.canary] ?? 0
        failureLimit = arguments[FleetOptions.maxFailures]
        report = arguments[FleetOptions.report]
        search =
            arguments[FleetOptions.all]
            ? Search(
                namePattern: arguments[FleetOptions.name],
                service: arguments[FleetOptions.service]) : nil
    }

    /// The plan, on an adapter that holds so many links.
    func plan(adapterLinks: Int) -> FleetPlan {
        FleetPlan(
            jobs: jobs ?? min(max(1, adapterLinks), FleetPlan.mostJobs), canaries: canaries,
            failureLimit: failureLimit)
    }
}

extension ParsedArguments {
    /// The line that does the same for one device alone: what to remember for `barge resume`, and
    /// what a job runs.
    func alone(_ device: String) -> ParsedArguments {
        let names = Set(FleetOptions.group.options.map(\.name))
        return ParsedArguments(
            path: path, command: command, globalOptions: globalOptions,
            optionTexts: optionTexts.filter { !names.contains($0.key) },
            argumentTexts: argumentTexts.merging(["DEVICE": [device]]) { _, new in new })
    }
}

import Barge

/// Tells a person or a script what the library says of a transfer.
final class EventTeller {
    private let audience: any TransferAudience
    private let console: Console
    private let operation: StartedTransfer.Operation
    private let name: String
    private let security: SecurityChoice
    private let begin = ContinuousClock.now
    private let memory: TransferMemory?
    private var route: Route?
    private var isUnlimited = false
    private var resumedFrom: UInt64 = 0
    private var pace = RecentPace()
    /// Where the device was met, for whoever remembers many at once.
    private(set) var sighting: DeviceSighting?
    /// What the transfer came to.
    private(set) var finished: TransferResult?

    init(
        _ audience: some TransferAudience, console: Console, security: SecurityChoice,
        operation: StartedTransfer.Operation, name: String, memory: TransferMemory?
    ) {
        self.audience = audience
        self.console = console
        self.security = security
        self.memory = memory
        self.operation = operation
        self.name = name
    }

    /// Seconds since the command began, by this computer's clock.
    var seconds: Double {
        let passed = (ContinuousClock.now - begin).components
        return Double(passed.seconds) + Double(passed.attoseconds) * 1e-18
    }

    func tell(_ event: TransferEvent) {
        switch event {
        case .scanning: audience.report(.scanning)
        case .connected(let link):
            // What has no physical layer has no physics: only a simulated link without limits.
            isUnlimited = link.phy == nil
            audience.report(.connected(connected(link)))
        case .route(let information):
            if let warning = information.warning { audience.warn(warning) }
            route = information.route
            audience.report(
                .route(
                    RouteChoice(
                        route: information.route, reason: information.reason,
                        psm: information.psm.map { Int($0.rawValue) },
                        writeLength: information.writeBytes, serial: information.serial)))
        case .met(let sighting): self.sighting = sighting
        case .started(let start): tell(start)
        case .progress(let progress): audience.report(.progress(self.progress(progress)))
        case .durable(let offset):
            memory?.note(durableBytes: offset)
            audience.report(.durable(offset: offset))
        case .busy(let activity, let done, let total):
            console.detail("the device is \(activity.rawValue): \(done) of \(total)")
            // Told once: what follows of the same verification only says how far it is.
            if activity == .verifying, done == 0 { audience.report(.verifying) }
        case .interrupted(let error, let pause):
            audience.retries(after: error, pauseSeconds: Double(pause) / 1_000_000)
        case .rebooting: audience.report(.rebooting)
        case .finished(let summary):
            let result = result(summary)
            finished = result
            audience.report(.finished(result))
        }
    }

    private func tell(_ start: TransferStart) {
        let serial = sighting.map(\.serial).flatMap { $0.isEmpty ? nil : $0 }
        memory?.begin(length: start.totalBytes, serial: serial)
        resumedFrom = start.resumedFrom
        pace = RecentPace()
        audience.report(
            .started(
                StartedTransfer(
                    operation: operation, name: name, bytes: start.totalBytes,
                    resumedFrom: start.resumedFrom)))
    }

    private func connected(_ link: LinkParameters) -> ConnectedLink {
        ConnectedLink(
            security: security, attMTU: link.attMTU,
            phy: link.phy?.rawValue,
            intervalMilliseconds: link.connectionIntervalMicroseconds.map { Double($0) / 1000 })
    }

    private func progress(_ progress: TransferProgress) -> ReportedProgress {
        pace.note(
            bytes: progress.movedBytes, coded: progress.codedBytes,
            microseconds: progress.linkMicroseconds)
        let rate = pace.bytesPerSecond
        let ratio =
            progress.movedBytes > 0
            ? Double(progress.codedBytes) / Double(progress.movedBytes) : nil
        let ceiling = progress.ceilingBytesPerSecond
        let share = pace.codedBytesPerSecond.flatMap { coded in ceiling.map { coded / $0 } }
        return ReportedProgress(
            bytes: progress.doneBytes, totalBytes: progress.totalBytes, resumedFrom: resumedFrom,
            sentBytes: progress.sentBytes, bytesPerSecond: rate,
            secondsLeft: rate.map { Double(progress.totalBytes - progress.doneBytes) / $0 },
            seconds: seconds, route: route, compressionRatio: ratio, ceilingShare: share)
    }

    private func result(_ summary: TransferSummary) -> TransferResult {
        TransferResult(
            outcome: TransferResult.Outcome(summary.result), bytes: summary.bytes,
            sentBytes: summary.sentBytes, resumedFrom: summary.resumedFrom,
            route: RouteChoice(route: summary.route, reason: summary.routeReason),
            sha256: Hexadecimal.text(summary.sha256), seconds: seconds,
            linkSeconds: Double(summary.linkMicroseconds) / 1_000_000,
            isUnlimited: isUnlimited)
    }
}

extension TransferResult.Outcome {
    init(_ result: TransferSummary.Result) {
        switch result {
        case .installed: self = .installed
        case .alreadyInstalled: self = .alreadyInstalled
        case .copied: self = .copied
        case .unchanged: self = .unchanged
        }
    }
}

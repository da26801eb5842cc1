import Barge

/// Tells a person or a script what the library says of a transfer.
final class EventTeller {
    private let reporter: Reporter
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

    init(
        console: Console, device: String, security: SecurityChoice,
        operation: StartedTransfer.Operation, name: String, memory: TransferMemory?
    ) {
        reporter = Reporter(console: console, device: device)
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
        case .scanning: reporter.report(.scanning)
        case .connected(let link):
            // What has no physical layer has no physics: only a simulated link without limits.
            isUnlimited = link.phy == nil
            reporter.report(.connected(connected(link)))
        case .route(let information):
            if let warning = information.warning { console.errorLine("warning: \(warning)") }
            route = information.route
            reporter.report(
                .route(
                    RouteChoice(
                        route: information.route, reason: information.reason,
                        psm: information.psm.map { Int($0.rawValue) },
                        writeLength: information.writeBytes, serial: information.serial)))
        case .met: break
        case .started(let start): tell(start)
        case .progress(let progress): reporter.report(.progress(self.progress(progress)))
        case .durable(let offset):
            memory?.note(durableBytes: offset)
            reporter.report(.durable(offset: offset))
        case .busy(let activity, let done, let total):
            console.detail("the device is \(activity.rawValue): \(done) of \(total)")
            // Told once: what follows of the same verification only says how far it is.
            if activity == .verifying, done == 0 { reporter.report(.verifying) }
        case .interrupted(let error, let pause):
            let seconds = Double(pause) / 1_000_000
            console.errorLine(
                "\(error.what.printable): \(error.why.printable); trying again in "
                    + Quantity.time(seconds))
        case .rebooting: reporter.report(.rebooting)
        case .finished(let summary): reporter.report(.finished(result(summary)))
        }
    }

    private func tell(_ start: TransferStart) {
        memory?.begin(length: start.totalBytes)
        resumedFrom = start.resumedFrom
        pace = RecentPace()
        reporter.report(
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

import BargeProtocol
import Bluetooth

/// What is told of one transfer over all its tries: events go out, sums are kept.
final class TransferLog {
    private let emit: (TransferEvent) -> Void
    private let begin: LinkInstant
    private var finishedSentBytes: UInt64 = 0
    private var firstOffset: UInt64?
    private var route: Route = .coc
    private var routeReason: String?
    private var current: Moving?

    /// The highest offset that was ever durable; more of it is progress.
    private(set) var highestOffset: UInt64 = 0

    private struct Moving {
        let start: TransferStart
        let instant: LinkInstant
        let sentBytes: UInt64
    }

    init(begin: LinkInstant, emit: @escaping (TransferEvent) -> Void) {
        self.begin = begin
        self.emit = emit
    }

    func tell(_ event: TransferEvent) { emit(event) }

    func opened(_ route: Route, reason: String?) {
        self.route = route
        routeReason = reason
        emit(.route(route, reason: reason))
    }

    func started(_ start: TransferStart, driver: HostDriver) {
        if firstOffset == nil { firstOffset = start.resumedFrom }
        current = Moving(start: start, instant: driver.now, sentBytes: driver.sentBytes)
        highestOffset = max(highestOffset, start.resumedFrom)
        emit(.started(start))
    }

    func reached(_ offset: UInt64, codedBytes: UInt64, driver: HostDriver) {
        guard let current else { return }
        highestOffset = max(highestOffset, offset)
        emit(
            .progress(
                TransferProgress(
                    doneBytes: offset, totalBytes: current.start.totalBytes,
                    movedBytes: offset - current.start.resumedFrom, codedBytes: codedBytes,
                    linkMicroseconds: driver.now.microseconds(since: current.instant),
                    ceilingBytesPerSecond: driver.ceilingBytesPerSecond)))
        emit(.durable(offset))
    }

    func busy(_ report: BusyReport) {
        let activity: TransferEvent.Activity =
            switch report.activity {
            case .erasing: .erasing
            case .verifying: .verifying
            case .reading: .reading
            }
        emit(.busy(activity, done: report.done, total: report.total))
    }

    /// A try is over: what it sent counts.
    func ended(_ driver: HostDriver) { finishedSentBytes += driver.sentBytes }

    func finish(
        _ result: TransferSummary.Result, bytes: UInt64, digest: Digest, now: LinkInstant
    ) -> TransferSummary {
        let summary = TransferSummary(
            result: result, bytes: bytes, sentBytes: finishedSentBytes,
            resumedFrom: firstOffset ?? 0, route: route, routeReason: routeReason,
            sha256: digest.bytes, linkMicroseconds: now.microseconds(since: begin))
        emit(.finished(summary))
        return summary
    }
}

extension Digest {
    /// The 32 bytes.
    var bytes: [UInt8] { (0..<Self.byteCount).map { byte(at: $0) } }
}

import BargeProtocol
import Bluetooth

/// What is told of one transfer over all its tries: events go out, sums are kept.
final class TransferLog {
    private let emit: (TransferEvent) -> Void
    /// Which way the cargo goes: its bytes are the ones that are counted.
    private let isDownload: Bool
    private let begin: LinkInstant
    private var finishedSentBytes: UInt64 = 0
    private var firstOffset: UInt64?
    private var route: Route = .coc
    private var routeReason: String?
    private var current: Moving?

    /// The highest offset that was ever durable; more of it is progress.
    private var highestOffset: UInt64 = 0
    /// Told of all progress.
    var progressed: () -> Void = {}

    private struct Moving {
        let start: TransferStart
        let instant: LinkInstant
    }

    init(
        begin: LinkInstant, isDownload: Bool = false, emit: @escaping (TransferEvent) -> Void
    ) {
        self.isDownload = isDownload
        self.begin = begin
        self.emit = emit
    }

    func tell(_ event: TransferEvent) { emit(event) }

    func opened(_ information: RouteInformation) {
        route = information.route
        routeReason = information.reason
        emit(.route(information))
    }

    func started(_ start: TransferStart, driver: HostDriver) {
        if firstOffset == nil { firstOffset = start.resumedFrom }
        current = Moving(start: start, instant: driver.now)
        rise(to: start.resumedFrom)
        emit(.started(start))
    }

    /// - Parameter codedBytes: what everything from the start of this session up to `offset` took
    ///   in frames.
    func reached(_ offset: UInt64, codedBytes: UInt64, driver: HostDriver) {
        guard let current else { return }
        let movedBytes = offset - current.start.resumedFrom
        rise(to: offset)
        emit(
            .progress(
                TransferProgress(
                    doneBytes: offset, totalBytes: current.start.totalBytes,
                    movedBytes: movedBytes, codedBytes: codedBytes,
                    sentBytes: finishedSentBytes + moved(by: driver),
                    linkMicroseconds: driver.now.microseconds(since: current.instant),
                    ceilingBytesPerSecond: driver.ceilingBytesPerSecond)))
        emit(.durable(offset))
    }

    /// Everything below this offset is safe at the receiver, whether anybody is told or not: an
    /// offset that was not reached before is progress.
    func rise(to offset: UInt64) {
        guard offset > highestOffset else { return }
        highestOffset = offset
        progressed()
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
    func ended(_ driver: HostDriver) { finishedSentBytes += moved(by: driver) }

    private func moved(by driver: HostDriver) -> UInt64 {
        isDownload ? driver.receivedBytes : driver.sentBytes
    }

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

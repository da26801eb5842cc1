import BargeProtocol
import Bluetooth

/// The flash takes its time, and the host is told (BTP-047).
extension BargeDevice {
    /// What an operation took on the flash passes from now on; a long one is announced.
    func spendFlashTime(
        _ pipe: Pipe, tag: UInt8, _ activity: BusyReport.Activity, now: LinkInstant
    ) {
        let elapsed = storage.takeElapsed()
        guard elapsed > 0 else { return }
        busyUntil = max(now, busyUntil).advanced(microseconds: elapsed)
        guard elapsed >= Self.announcedMicroseconds else { return }
        busyReport = PendingBusyReport(
            carrier: pipe.carrier, tag: tag, activity: activity, begin: now, due: now)
    }

    /// Sends BUSY where it is due.
    func reportBusy(_ now: LinkInstant) {
        guard var report = busyReport, now >= report.due, let pipe = pipes[report.carrier] else {
            return
        }
        let message = BusyReport(
            activity: report.activity, done: now.microseconds(since: report.begin),
            total: busyUntil.microseconds(since: report.begin))
        pipe.enqueue(.busy(message), tag: report.tag, isBusy: false)
        report.due = now.advanced(microseconds: Self.announcedMicroseconds)
        busyReport = report
    }

    /// Asks for the next wake-up that anything here needs, unless an earlier one is due anyway: it
    /// asks again.
    ///
    /// - Parameter now: the moment at which the caller found that it has to wait.
    func scheduleWake(_ stack: inout some PeripheralStack, now: LinkInstant) {
        var instants: [LinkInstant] = []
        if now < busyUntil { instants.append(busyUntil) }
        if let busyReport, now < busyUntil { instants.append(busyReport.due) }
        instants += pipes.values.compactMap(\.transfer.idleAt)
        instants += pipes.values.compactMap(\.probeAt)
        if let pendingReset { instants.append(pendingReset.instant) }
        guard let first = instants.min() else { return }
        if let plannedWake, plannedWake <= first { return }
        plannedWake = first
        stack.wake(at: first)
    }

    /// Half of what the protocol allows between two BUSY frames.
    private static var announcedMicroseconds: UInt64 {
        UInt64(ProtocolLimits.busyIntervalMilliseconds) * 500
    }
}

/// A flash operation so long that the host is told of it.
struct PendingBusyReport<Carrier> {
    let carrier: Carrier
    let tag: UInt8
    let activity: BusyReport.Activity
    let begin: LinkInstant
    var due: LinkInstant
}

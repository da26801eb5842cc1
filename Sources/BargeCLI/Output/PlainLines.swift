import Barge

/// A transfer as lines that stay: for files, pipes and terminals between two moving lines.
///
/// Progress appears at every tenth of the way, and at least every 30 seconds.
struct PlainLines: Sendable {
    let device: String
    private var lastTenth = 0
    private var lastSeconds = 0.0

    init(device: String) { self.device = device }

    /// The line for an event, if it is worth one. A failure is told on standard error instead.
    mutating func line(for event: ReportedEvent) -> String? {
        switch event {
        case .scanning: "looking for \(device.printable)"
        case .connected(let link): Self.text(link, device: device)
        case .route(let choice): Self.text(choice)
        case .started(let start): Self.text(start)
        case .progress(let progress): progressLine(progress)
        case .durable, .failed: nil
        case .verifying: "verifying"
        case .rebooting: "rebooting into the new image"
        case .finished(let result): Self.text(result)
        }
    }

    private mutating func progressLine(_ progress: ReportedProgress) -> String? {
        let tenth = progress.fraction.map { Int($0 * 10) } ?? 0
        guard tenth > lastTenth || progress.seconds >= lastSeconds + Self.longestSilence else {
            return nil
        }
        (lastTenth, lastSeconds) = (tenth, progress.seconds)
        return ProgressLine.words(progress)
    }

    private static let longestSilence = 30.0

    private static func text(_ link: ConnectedLink, device: String) -> String {
        let facts = [
            link.security.map { $0 == .none ? "not encrypted" : $0.rawValue }
        ].compactMap { $0 }
        let suffix = facts.isEmpty ? "" : " (\(facts.joined(separator: ", ")))"
        return "connected to \(device.printable)\(suffix)"
    }

    private static func text(_ choice: RouteChoice) -> String {
        let psm = choice.psm.map { ", PSM 0x" + String($0, radix: 16, uppercase: true) } ?? ""
        return switch choice.route {
        case .coc: "route: coc\(psm)"
        case .gatt: "route: gatt" + (choice.reason.map { ", since " + $0.printable } ?? "")
        }
    }

    private static func text(_ start: StartedTransfer) -> String {
        let size = start.bytes.map { ", " + Quantity.bytes($0) } ?? ""
        let resumed =
            start.resumedFrom > 0 ? ", going on at \(Quantity.bytes(start.resumedFrom))" : ""
        return "\(start.operation.rawValue) \(start.name.printable)\(size)\(resumed)"
    }

    private static func text(_ result: TransferResult) -> String {
        let digest = "\nSHA-256 \(result.sha256)"
        switch result.outcome {
        case .alreadyInstalled: return "already runs, nothing sent" + digest
        case .unchanged: return "already there, nothing sent" + digest
        case .installed, .copied:
            let earlier =
                result.resumedFrom > 0
                ? " (\(Quantity.bytes(result.resumedFrom)) of it earlier)" : ""
            return "\(result.outcome.rawValue): \(Quantity.bytes(result.bytes))\(earlier) in "
                + time(result) + ", \(Quantity.bytes(result.sentBytes)) sent over "
                + result.route.route.rawValue + digest
        }
    }

    /// `3.3 s (simulated, 243 kB/s)`. No rate where the time holds more than the bytes' way, as
    /// the reset of a device, or the bytes are not all of them.
    private static func time(_ result: TransferResult) -> String {
        let seconds = result.shownSeconds
        var remarks = result.runsAhead ? ["simulated"] : []
        if result.outcome == .copied, result.resumedFrom == 0, seconds > 0 {
            remarks.append(Quantity.rate(Double(result.bytes) / seconds))
        }
        let suffix = remarks.isEmpty ? "" : " (\(remarks.joined(separator: ", ")))"
        return Quantity.time(seconds) + suffix
    }
}

import BargeProtocol
import Bluetooth

/// One line on what happens underneath, for `-v` and for logs.
public struct TraceLine: Hashable, Sendable {
    /// How much happens in one line.
    public enum Detail: Hashable, Sendable {
        /// A step on the way to a session.
        case step
        /// One frame.
        case frame
    }

    /// How much happens in it.
    public let detail: Detail
    /// What happens, with the link's time in front.
    public let text: String
}

/// Where trace lines go; they are made only where somebody listens.
struct Trace: Sendable {
    let sink: (@Sendable (TraceLine) -> Void)?

    func step(_ text: @autoclosure () -> String, at now: LinkInstant) {
        sink?(TraceLine(detail: .step, text: "\(Self.stamp(now)) \(text())"))
    }

    func sent(_ message: Message, tag: UInt8, at now: LinkInstant) {
        frame("→", message, tag, now)
    }

    func sentBlock(_ plan: BlockPlan, bytes: Int, tag: UInt8, at now: LinkInstant) {
        guard let sink else { return }
        let text = "→ block #\(tag) \(bytes) B: \(plan.offset) + \(plan.rawBytes)"
        sink(TraceLine(detail: .frame, text: "\(Self.stamp(now)) \(text)"))
    }

    func received(_ message: Message, tag: UInt8, at now: LinkInstant) {
        frame("←", message, tag, now)
    }

    private func frame(_ arrow: String, _ message: Message, _ tag: UInt8, _ now: LinkInstant) {
        guard let sink else { return }
        let request = tag == 0 ? "" : " #\(tag)"
        let detail = message.traceDetail
        let text =
            "\(Self.stamp(now)) \(arrow) \(message.type)\(request) \(message.frameBytes) B"
            + (detail.isEmpty ? "" : ": " + detail)
        sink(TraceLine(detail: .frame, text: text))
    }

    /// Seconds of the link's clock to the millisecond.
    private static func stamp(_ now: LinkInstant) -> String {
        let milliseconds = now.microseconds / 1000
        let fraction = String(milliseconds % 1000)
        return "\(milliseconds / 1000)." + String(repeating: "0", count: 3 - fraction.count)
            + fraction
    }
}

extension Message {
    /// What a reader of a log wants to know of it.
    fileprivate var traceDetail: String {
        switch self {
        case .hello(let hello):
            "\(hello.software.printable) \(hello.serial.printable), block \(hello.blockBytes), "
                + "window \(hello.receiveWindowBytes), boot \(hello.bootID)"
        case .error(let error):
            "\(error.code.map { "\($0)" } ?? "code \(error.rawCode)"), \(error.scope), "
                + "detail \(error.detail) \(error.text.printable)"
        case .busy(let report): "\(report.activity) \(report.done)/\(report.total)"
        case .write(let request):
            "\(request.object.traceText), \(request.length) bytes"
                + (request.restart ? ", restart" : "")
        case .writeReady(let ready):
            ready.isComplete ? "complete" : "from \(ready.offset)"
        case .committed(let committed): "after \(committed.microseconds) µs"
        case .read(let request): "\(request.object.traceText) from \(request.offset)"
        case .readReady(let ready): "\(ready.size) bytes, from \(ready.offset)"
        case .readEnd(let end): "at \(end.end)"
        case .acknowledge(let offset): "\(offset)"
        case .block(let header): "\(header.offset) + \(header.rawBytes)"
        case .list(let after): after.printable
        case .entry(let entry): "\(entry.name.printable), \(entry.size) bytes"
        case .listed(let more): more ? "more" : "all"
        case .stat(let object), .remove(let object): object.traceText
        case .stated(let status): "\(status.size) bytes"
        case .imageStates(let slots): "\(slots.count) slots"
        case .resetting(let milliseconds): "back in \(milliseconds) ms"
        case .fin, .echo, .echoed, .commit, .cancel, .canceled, .removed, .images, .test,
            .confirm, .reset:
            ""
        }
    }
}

extension ObjectReference {
    fileprivate var traceText: String { name.isEmpty ? "\(kind) \(number)" : name.printable }
}

extension LinkParameters {
    /// What is known of the link, for a log.
    var traceText: String {
        let interval = connectionIntervalMicroseconds.map { "interval \($0) µs" }
        let facts = [
            phy?.rawValue, dataLengthBytes.map { "data length \($0)" }, interval,
            attMTU.map { "ATT MTU \($0)" },
        ].compactMap { $0 }
        return facts.isEmpty ? "nothing known of it" : facts.joined(separator: ", ")
    }
}

extension PipeOpener.Opening {
    /// How the pipe came about, for a log.
    var traceText: String {
        let reason = reason.map { ", since \($0)" } ?? ""
        let place = psm.map { " on PSM \($0)" } ?? ""
        return "\(pipe.route.rawValue)\(place), writes of \(pipe.efficientWriteBytes) B\(reason)"
    }
}

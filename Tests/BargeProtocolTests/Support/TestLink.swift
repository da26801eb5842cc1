import BargeProtocol

/// The two ends of a link.
enum End: CaseIterable {
    case host
    case device

    var other: End { self == .host ? .device : .host }
}

/// A pipe between two ends: bytes go in whole, and come out in pieces of any size.
protocol TestLink {
    /// Queues bytes that `end` sends.
    mutating func send(_ bytes: [UInt8], from end: End)
    /// Moves something along; false where there is nothing to move.
    mutating func move(using random: inout SplitMix64) -> Bool
    /// What has arrived at `end` and was not taken yet.
    func arrived(at end: End) -> [UInt8]
    /// Drops the first bytes of that.
    mutating func take(_ count: Int, at end: End)
}

/// The CoC pipe: a stream that is cut anywhere (BTP-010).
struct StreamLink: TestLink {
    private var queued: [End: [UInt8]] = [.host: [], .device: []]
    private var inbox: [End: [UInt8]] = [.host: [], .device: []]

    mutating func send(_ bytes: [UInt8], from end: End) { queued[end, default: []] += bytes }

    mutating func move(using random: inout SplitMix64) -> Bool {
        let ends = End.allCases.filter { queued[$0]?.isEmpty == false }
        guard let end = ends.randomElement(using: &random), let bytes = queued[end] else {
            return false
        }
        // Mostly an SDU, sometimes a byte or two.
        let most = Bool.random(using: &random) ? 3 : 500
        let count = Int.random(in: 1...min(most, bytes.count), using: &random)
        inbox[end.other, default: []] += bytes.prefix(count)
        queued[end]?.removeFirst(count)
        return true
    }

    func arrived(at end: End) -> [UInt8] { inbox[end] ?? [] }

    mutating func take(_ count: Int, at end: End) { inbox[end]?.removeFirst(count) }
}

/// The GATT pipe, in values of a given length. `losing` picks values that get lost on the way.
struct GATTLink: TestLink {
    private struct Side {
        var pipe: GATTPipe
        var queued: [UInt8] = []
        var values: [[UInt8]] = []
        var inbox: [UInt8] = []
    }

    private let valueBytes: Int
    private var host: Side
    private var device: Side
    private(set) var brokenAt: [End] = []
    private(set) var largestFlight = 0
    var losing: (End, [UInt8]) -> Bool = { _, _ in false }

    init(valueBytes: Int, creditValues: UInt32) {
        self.valueBytes = valueBytes
        host = Side(pipe: GATTPipe(role: .host, creditValues: creditValues))
        device = Side(pipe: GATTPipe(role: .device, creditValues: creditValues))
        host.pipe.open()
    }

    private subscript(end: End) -> Side {
        get { end == .host ? host : device }
        set { if end == .host { host = newValue } else { device = newValue } }
    }

    mutating func send(_ bytes: [UInt8], from end: End) { self[end].queued += bytes }

    mutating func move(using random: inout SplitMix64) -> Bool {
        for end in End.allCases { fill(end) }
        let ends = End.allCases.filter { !self[$0].values.isEmpty }
        guard let end = ends.randomElement(using: &random) else { return false }
        let value = self[end].values.removeFirst()
        if losing(end, value) { return true }
        deliver(value, to: end.other)
        return true
    }

    /// A second passes in which nothing came.
    mutating func stall() {
        for end in End.allCases { self[end].pipe.stalled() }
    }

    func arrived(at end: End) -> [UInt8] { self[end].inbox }

    mutating func take(_ count: Int, at end: End) { self[end].inbox.removeFirst(count) }

    /// Drains one side's outputs in the order that the pipe asks for.
    private mutating func fill(_ end: End) {
        while let control = self[end].pipe.nextControl() {
            var value: [UInt8] = []
            control.encode(into: &value)
            self[end].values.append(value)
        }
        while self[end].pipe.canSendData, !self[end].queued.isEmpty {
            let count = min(valueBytes - 1, self[end].queued.count)
            let header = self[end].pipe.nextDataHeader()
            self[end].values.append([header] + self[end].queued.prefix(count))
            self[end].queued.removeFirst(count)
        }
        largestFlight = max(largestFlight, self[end].values.count { $0[0] & 0x80 == 0 })
    }

    private mutating func deliver(_ value: [UInt8], to end: End) {
        switch self[end].pipe.handle(value.span.bytes) {
        case .data:
            self[end].inbox += value.dropFirst()
            // It lies where the frame is gathered: waiting for the whole frame would be a deadlock
            // wherever a frame is longer than the credit (BTP-023).
            self[end].pipe.consumed(values: 1)
        case .broken: brokenAt.append(end)
        case .opened, .none, .writable: break
        }
    }
}

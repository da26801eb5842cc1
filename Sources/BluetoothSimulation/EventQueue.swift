/// What can happen at a moment of the world's time.
enum Occurrence {
    /// A connection event of a link begins.
    case anchor(Int)
    /// The central's packet of an exchange is over.
    case centralPacketEnded(Int)
    /// The peripheral's packet of an exchange is over.
    case peripheralPacketEnded(Int)
    /// A link without air time moves what waits.
    case flush(Int)
    /// A side of a link may have heard nothing for the supervision timeout.
    case supervision(Int, Side)
    /// A link's encryption is in place.
    case secured(Int)
    /// A device sends an advertisement.
    case advertisement(device: Int, generation: Int)
    /// A device's application asked to be woken.
    case wake(device: Int, generation: Int)
    /// A device has power.
    case powerOn(device: Int, generation: Int)
    /// A device can be heard again.
    case reachable(device: Int)
    /// A device reboots of its own accord.
    case reboot(device: Int, generation: Int)
    /// A fault that was scheduled.
    case fault(Int)
}

extension Occurrence {
    /// The device that it happens to; nil where a link is concerned.
    var device: Int? {
        switch self {
        case .advertisement(let device, _), .wake(let device, _), .powerOn(let device, _),
            .reachable(let device), .reboot(let device, _):
            device
        case .fault, .anchor, .centralPacketEnded, .peripheralPacketEnded, .flush, .supervision,
            .secured:
            nil
        }
    }

    /// The link that it happens to; nil where a device is concerned.
    var link: Int? {
        switch self {
        case .anchor(let link), .centralPacketEnded(let link), .peripheralPacketEnded(let link),
            .flush(let link), .supervision(let link, _), .secured(let link):
            link
        case .advertisement, .wake, .powerOn, .reachable, .reboot, .fault: nil
        }
    }
}

/// The world's agenda: a binary heap, and first come, first served within one moment.
struct EventQueue {
    private struct Entry {
        let microseconds: UInt64
        let order: UInt64
        let occurrence: Occurrence

        func isBefore(_ other: Entry) -> Bool {
            microseconds != other.microseconds
                ? microseconds < other.microseconds : order < other.order
        }
    }

    private var heap: ContiguousArray<Entry> = []
    private var nextOrder: UInt64 = 0

    init() { heap.reserveCapacity(64) }

    var count: Int { heap.count }

    var earliestMicroseconds: UInt64? { heap.first?.microseconds }

    mutating func push(_ occurrence: Occurrence, at microseconds: UInt64) {
        let entry = Entry(microseconds: microseconds, order: nextOrder, occurrence: occurrence)
        nextOrder += 1
        heap.append(entry)
        var hole = heap.count - 1
        while hole > 0 {
            let parent = (hole - 1) / 2
            guard entry.isBefore(heap[parent]) else { break }
            heap[hole] = heap[parent]
            hole = parent
        }
        heap[hole] = entry
    }

    mutating func pop() -> (microseconds: UInt64, occurrence: Occurrence)? {
        guard let first = heap.first, let last = heap.popLast() else { return nil }
        if !heap.isEmpty { sink(last) }
        return (first.microseconds, first.occurrence)
    }

    /// Takes entries out. What is left is put in order, which a heap may be in as well.
    mutating func removeAll(where isVoid: (Occurrence) -> Bool) {
        heap.removeAll { isVoid($0.occurrence) }
        heap.sort { $0.isBefore($1) }
    }

    /// Puts an entry in the root's place and lets it sink to where it belongs.
    private mutating func sink(_ entry: Entry) {
        var hole = 0
        while true {
            var child = 2 * hole + 1
            guard child < heap.count else { break }
            if child + 1 < heap.count, heap[child + 1].isBefore(heap[child]) { child += 1 }
            guard heap[child].isBefore(entry) else { break }
            heap[hole] = heap[child]
            hole = child
        }
        heap[hole] = entry
    }
}

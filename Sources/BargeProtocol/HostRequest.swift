/// A request that was sent and not answered yet: what its answer is held against.
enum HostRequest: Equatable, Sendable {
    case write(length: UInt64)
    case read(offset: UInt64, length: UInt64)
    case list(HostListing)
    case echo(byteCount: Int)
    /// One whose answer is a single frame of this type.
    case simple(answer: FrameType)

    /// Nil where the message is no request.
    init?(_ message: Message) {
        guard let lastAnswer = message.type.lastAnswer else { return nil }
        if case .write(let request) = message {
            self = .write(length: request.length)
        } else if case .read(let request) = message {
            self = .read(offset: request.offset, length: request.length)
        } else if case .list(let after) = message {
            self = .list(HostListing(after: after))
        } else if case .echo(let byteCount) = message {
            self = .echo(byteCount: byteCount)
        } else {
            self = .simple(answer: lastAnswer)
        }
    }

    /// The frame that may end the request while CANCEL is on its way (BTP-067).
    var crossingCancel: FrameType {
        switch self {
        case .write: .writeReady
        case .read: .readEnd
        case .list: .listed
        case .echo: .echoed
        case .simple(let answer): answer
        }
    }
}

/// A list as the host sees it: names that rise, so that asking on always comes to an end (BTP-081).
struct HostListing: Equatable, Sendable {
    private var last: Name
    private var count = 0

    init(after: Name) { last = after }

    /// False for an entry that does not belong into this list, or anywhere.
    mutating func took(_ entry: FileEntry) -> Bool {
        guard count < ProtocolLimits.entriesPerList, entry.name.isValidFileName,
            last.precedes(entry.name)
        else { return false }
        last = entry.name
        count += 1
        return true
    }

    /// False for a list that promises more and gave nothing to go on from.
    func mayEnd(more: Bool) -> Bool { !more || count > 0 }
}

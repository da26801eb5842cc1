import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// One end of a Unix socket that stands for a link: plain bytes for a channel, or values for the
/// GATT pipe, each behind its length as a u16 in little-endian order. Nothing here waits.
final class SocketEnd: Sendable {
    private struct State {
        var incoming: [UInt8] = []
        var outgoing: [UInt8] = []
        var isEnded = false
        var isClosed = false
    }

    let descriptor: Int32
    private let state = Mutex(State())

    /// No more waits in either direction: small, so that both sides come to be held back.
    private static let boundBytes = 16 * 1024
    /// Two seconds, a tenth at a time.
    private static let lingeringLooks = 20

    /// True for the GATT pipe.
    let carriesValues: Bool

    init(descriptor: Int32, carriesValues: Bool) {
        self.descriptor = descriptor
        self.carriesValues = carriesValues
        UnixSocket.makeNonBlocking(descriptor)
    }

    deinit { close() }

    /// True where all is taken and nothing will come any more.
    var isOver: Bool { state.withLock { ($0.isEnded && !hasArrived($0)) || $0.isClosed } }

    /// True where there is something to take.
    var hasArrived: Bool { state.withLock { hasArrived($0) } }
    var hasRoomToRead: Bool { state.withLock { $0.incoming.count < Self.boundBytes } }
    var hasRoom: Bool { state.withLock { $0.outgoing.count < Self.boundBytes } }
    var hasUnsent: Bool { state.withLock { !$0.outgoing.isEmpty } }

    private func hasArrived(_ state: State) -> Bool {
        carriesValues ? Self.valueLength(state.incoming) != nil : !state.incoming.isEmpty
    }

    // MARK: In

    /// Takes what the system holds, as far as there is room.
    func fill() {
        state.withLock { state in
            while !state.isEnded, !state.isClosed, state.incoming.count < Self.boundBytes {
                guard let bytes = UnixSocket.receive(descriptor) else { return }
                if bytes.isEmpty { state.isEnded = true }
                state.incoming.append(contentsOf: bytes)
            }
        }
    }

    func takeBytes(atMost count: Int) -> [UInt8] {
        state.withLock { state in
            let taken = Array(state.incoming.prefix(count))
            state.incoming.removeFirst(taken.count)
            return taken
        }
    }

    func takeValue() -> [UInt8]? {
        state.withLock { state in
            guard let length = Self.valueLength(state.incoming) else { return nil }
            let value = Array(state.incoming[2..<2 + length])
            state.incoming.removeFirst(2 + length)
            return value
        }
    }

    /// The length of the first value, where it is there whole.
    private static func valueLength(_ bytes: [UInt8]) -> Int? {
        guard bytes.count >= 2 else { return nil }
        let length = Int(bytes[0]) | Int(bytes[1]) << 8
        return bytes.count >= 2 + length ? length : nil
    }

    // MARK: Out

    /// Takes as many bytes as there is room for; returns the count.
    func put(_ bytes: UnsafeRawBufferPointer) -> Int {
        let taken = state.withLock { state in
            let room = max(0, Self.boundBytes - state.outgoing.count)
            state.outgoing.append(contentsOf: bytes.prefix(room))
            return min(room, bytes.count)
        }
        flush()
        return taken
    }

    /// Takes a value, or none of it.
    func put(value: [UInt8]) -> Bool {
        let isTaken = state.withLock { state in
            guard state.outgoing.count < Self.boundBytes else { return false }
            state.outgoing.append(UInt8(value.count & 0xFF))
            state.outgoing.append(UInt8(value.count >> 8))
            state.outgoing.append(contentsOf: value)
            return true
        }
        flush()
        return isTaken
    }

    func flush() {
        state.withLock { state in
            while !state.outgoing.isEmpty, !state.isClosed {
                let sent = UnixSocket.send(state.outgoing, to: descriptor)
                guard sent > 0 else { return }
                state.outgoing.removeFirst(sent)
            }
        }
    }

    /// A socket that is closed at once forgets what it has not sent, as the last word to a peer
    /// that is slow to read: it is waited for, for a while.
    func close() {
        flush()
        for _ in 0..<Self.lingeringLooks where hasUnsent && !isOver {
            UnixSocket.wait([(descriptor, false, true)], milliseconds: 100)
            flush()
        }
        state.withLock { state in
            guard !state.isClosed else { return }
            state.isClosed = true
            UnixSocket.close(descriptor)
        }
    }
}

import Bluetooth

/// Something in a world that nobody outside holds any more. It is let go the next time that the
/// world is looked at: whoever lets the last reference go may hold the world just then.
enum Leftover: Sendable {
    case link(ConnectionID)
    case channel(ChannelID)
    case scan(UInt64)
}

extension SimulatedWorld {
    func letGo(_ leftover: Leftover) {
        switch leftover {
        case .link(let id): release(id)
        case .channel(let id): release(id)
        case .scan(let number): endScan(number)
        }
    }
}

import Bluetooth

/// What a task waits for: a value, so that it can be looked at by whoever drives the world.
enum WaitCondition: Sendable {
    case never
    case operation(UInt64)
    case scan(UInt64)
    case adapterPowered
    case lost(ConnectionID)
    case connection(ConnectionID, Interest)
    case channel(ChannelID, Interest)

    func holds(in world: SimulatedWorld) -> Bool {
        switch self {
        case .never: false
        case .operation(let number): world.outcome(of: number) != nil
        case .scan(let number): world.hasHeard(number) || !world.isAdapterPowered
        case .adapterPowered: world.isAdapterPowered
        case .lost(let connection): world.lossReason(of: connection) != nil
        case .connection(let connection, let interest): world.isReady(connection, for: interest)
        case .channel(let channel, let interest): world.isReady(channel, for: interest)
        }
    }

    /// The link whose events decide; nil where others do.
    func link(in world: SimulatedWorld) -> Int? {
        switch self {
        case .never, .operation, .scan, .adapterPowered: nil
        case .lost(let connection), .connection(let connection, _): Int(connection.rawValue)
        case .channel(let channel, _): world.channel(channel)?.link.index
        }
    }

    /// True for those who only look on: for them alone no time passes.
    var isPassive: Bool {
        switch self {
        case .lost, .adapterPowered: true
        case .never, .operation, .scan, .connection, .channel: false
        }
    }
}

import Bluetooth

/// What a task waits for: a value, so that it can be looked at by whoever drives the world.
enum WaitCondition: Sendable {
    case never
    /// A moment is past.
    case elapsed(LinkInstant)
    case operation(UInt64)
    /// An operation has ended, or asks something.
    case answerable(UInt64)
    /// An operation that asks something has ended, or its deadline is past.
    case over(UInt64, LinkInstant)
    case scan(UInt64)
    case adapterPowered
    /// The device has left the world.
    case removed(PeerID)
    case lost(ConnectionID)
    case connection(ConnectionID, Interest)
    case channel(ChannelID, Interest)

    func holds(in world: SimulatedWorld) -> Bool {
        switch self {
        case .never: false
        case .elapsed(let instant): world.now >= instant
        case .operation(let number): world.outcome(of: number) != nil
        case .answerable(let number):
            world.outcome(of: number) != nil || world.question(of: number) != nil
        case .over(let number, let deadline):
            world.outcome(of: number) != nil || world.now >= deadline
        case .scan(let number): world.hasHeard(number) || !world.isAdapterPowered
        case .adapterPowered: world.isAdapterPowered
        case .removed(let peer): world.device(peer) == nil
        case .lost(let connection): world.lossReason(of: connection) != nil
        case .connection(let connection, let interest): world.isReady(connection, for: interest)
        case .channel(let channel, let interest): world.isReady(channel, for: interest)
        }
    }

    /// The link whose events decide; nil where others do.
    func link(in world: SimulatedWorld) -> Int? {
        switch self {
        case .never, .elapsed, .operation, .answerable, .over, .scan, .adapterPowered, .removed:
            nil
        case .lost(let connection), .connection(let connection, _): Int(connection.rawValue)
        case .channel(let channel, _): world.channel(channel)?.link.index
        }
    }

    /// True for those who only look on: for them alone no time passes.
    var isPassive: Bool {
        switch self {
        case .elapsed, .lost, .adapterPowered, .removed, .over: true
        case .never, .operation, .answerable, .scan, .connection, .channel: false
        }
    }
}

import Bluetooth

/// What an operation of the central brought.
enum OperationValue {
    case nothing
    case connection(ConnectionID)
    case channel(ChannelID)
    case value([UInt8])
    case services([GATTService])
    case characteristics([GATTCharacteristic])
}

/// Something that the central has begun, by number: it ends later, once, or with its link.
struct OperationState {
    /// What has to be undone if nobody waits for it any more.
    enum Purpose {
        case connecting
        case other
    }

    let purpose: Purpose
    var link: Int?
    var outcome: Result<OperationValue, BluetoothError>?
}

extension SimulatedWorld {
    func makeOperation(
        on link: Link?, for purpose: OperationState.Purpose = .other
    ) -> UInt64 {
        let number = nextOperation
        nextOperation += 1
        operations[number] = OperationState(purpose: purpose, link: link?.index, outcome: nil)
        if let reason = link?.ending.central { finish(number, .failure(.linkLost(reason))) }
        return number
    }

    func finish(_ operation: UInt64, _ outcome: Result<OperationValue, BluetoothError>) {
        guard let state = operations[operation], state.outcome == nil else { return }
        operations[operation]?.outcome = outcome
        changes.noteAnything()
    }

    func failOperations(of link: Link, _ error: BluetoothError) {
        let waiting = operations.filter { $0.value.link == link.index && $0.value.outcome == nil }
        for operation in waiting.keys.sorted() { finish(operation, .failure(error)) }
    }

    func outcome(of operation: UInt64) -> Result<OperationValue, BluetoothError>? {
        operations[operation]?.outcome
    }

    /// Runs the world until an operation has ended.
    func complete(
        _ operation: UInt64, until deadline: LinkInstant, _ step: String
    ) throws(BluetoothError) -> OperationValue {
        _ = run(until: deadline) { outcome(of: operation) != nil }
        return try claim(operation, step)
    }

    /// An operation's outcome for the one that began it, or that it has none in time.
    func claim(_ operation: UInt64, _ step: String) throws(BluetoothError) -> OperationValue {
        switch outcome(of: operation) {
        case .success(let value):
            operations[operation] = nil
            return value
        case .failure(let error):
            abandon(operation)
            throw error
        case nil:
            let attempt = connecting.first { $0.operation == operation }
            abandon(operation)
            throw attempt.map { .peerNotFound($0.peer) } ?? .timedOut(step)
        }
    }

    /// Nobody waits for it any more. The link or the channel that came of it, or is to come,
    /// ends.
    func abandon(_ operation: UInt64) {
        connecting.removeAll { $0.operation == operation }
        // Whoever gives up securing a link breaks the pairing off.
        securing(operation)?.endSecuring()
        guard let state = operations.removeValue(forKey: operation) else { return }
        if case .success(.channel(let channel)) = state.outcome {
            close(channel)
            return release(channel)
        }
        guard state.purpose == .connecting, let link = state.link.flatMap({ links[$0] }) else {
            return
        }
        terminate(link, by: .central)
        release(link)
    }
}

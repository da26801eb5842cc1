import Bluetooth

/// What an operation of the central brought.
enum OperationValue {
    case nothing
    case connection(ConnectionID)
    case channel(ChannelID)
    case value([UInt8])
    case characteristics([GATTCharacteristic])
}

/// Something that the central has begun, by number: it ends later, once, or with its link.
struct OperationState {
    let link: Int?
    var outcome: Result<OperationValue, BluetoothError>?
}

extension SimulatedWorld {
    func makeOperation(on link: Link?) -> UInt64 {
        let number = nextOperation
        nextOperation += 1
        operations[number] = OperationState(link: link?.index, outcome: nil)
        if let reason = link?.ending.central { finish(number, .failure(.linkLost(reason))) }
        return number
    }

    func finish(_ operation: UInt64, _ outcome: Result<OperationValue, BluetoothError>) {
        guard let state = operations[operation], state.outcome == nil else { return }
        operations[operation]?.outcome = outcome
    }

    func failOperations(of link: Link, _ error: BluetoothError) {
        let waiting = operations.filter { $0.value.link == link.index && $0.value.outcome == nil }
        for operation in waiting.keys.sorted() { finish(operation, .failure(error)) }
    }

    func outcome(of operation: UInt64) -> Result<OperationValue, BluetoothError>? {
        operations[operation]?.outcome
    }

    /// Its outcome is of no interest any more.
    func forget(_ operation: UInt64) {
        operations[operation] = nil
        connecting.removeAll { $0.operation == operation }
    }

    /// Runs the world until an operation has ended.
    func complete(
        _ operation: UInt64, until deadline: LinkInstant, _ step: String
    ) throws(BluetoothError) -> OperationValue {
        defer { forget(operation) }
        _ = run(until: deadline) { outcome(of: operation) != nil }
        return try settle(operation, step)
    }

    /// An operation's outcome, or that it has none in time.
    func settle(_ operation: UInt64, _ step: String) throws(BluetoothError) -> OperationValue {
        switch outcome(of: operation) {
        case .success(let value): return value
        case .failure(let error): throw error
        case nil: throw timeout(of: operation, step)
        }
    }

    private func timeout(of operation: UInt64, _ step: String) -> BluetoothError {
        let attempt = connecting.first { $0.operation == operation }
        if let attempt { return .peerNotFound(attempt.peer) }
        return .timedOut(step)
    }
}

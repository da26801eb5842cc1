/// How each operation of a lifecycle is carried out on a backend.
extension DeviceLink {
    func run(
        _ ticket: LifecycleTicket, _ operation: LifecycleOperation, until deadline: LinkInstant
    ) async -> LifecycleOutcome {
        do throws(BluetoothError) {
            switch operation {
            case .awaitPower:
                try await central.waitUntilPowered(until: deadline)
                return .powered
            case .scan(let filter, let strangers):
                return try await scan(filter, excluding: strangers, until: deadline)
            case .findLinkedPeers(let service):
                return .linkedPeers(
                    try await central.linkedPeers(offering: service, until: deadline))
            case .connect(let peer):
                let connection = try await central.connect(to: peer, until: deadline)
                links[ticket] = connection
                return .linked(
                    intervalMicroseconds: connection.parameters.connectionIntervalMicroseconds)
            case .pause:
                try await central.sleep(until: deadline)
                return .paused
            case .secure(let link, _), .discoverServices(let link, _),
                .discoverCharacteristics(let link, _), .watch(let link):
                guard let connection = links[link] else { return .failed(.notConnected) }
                let outcome = try await run(operation, on: connection, until: deadline)
                if case .lost = outcome { links[link] = nil }
                return outcome
            }
        } catch {
            return .failed(error)
        }
    }

    private func run(
        _ operation: LifecycleOperation, on connection: Backend.Connection,
        until deadline: LinkInstant
    ) async throws(BluetoothError) -> LifecycleOutcome {
        switch operation {
        case .secure(_, let level):
            try await connection.secure(level, answering: delegate, until: deadline)
            return .secured
        case .discoverServices(_, let uuid):
            return .services(try await connection.discoverServices(uuid, until: deadline))
        case .discoverCharacteristics(_, let service):
            return .characteristics(
                try await connection.discoverCharacteristics(of: service, until: deadline))
        case .watch:
            return .lost(try await connection.waitUntilLost())
        case .awaitPower, .scan, .findLinkedPeers, .connect, .pause:
            preconditionFailure("takes no link")
        }
    }

    private func scan(
        _ filter: ScanFilter, excluding strangers: Set<PeerID>, until deadline: LinkInstant
    ) async throws(BluetoothError) -> LifecycleOutcome {
        for try await heard in central.advertisements(filter, until: deadline)
        where !strangers.contains(heard.peer) {
            return .heard(heard.peer)
        }
        return .heardNobody
    }
}

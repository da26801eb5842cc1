public import Bluetooth

/// The central of a simulated radio.
public struct SimulatedCentral: Central {
    let radio: SimulatedRadio

    /// The world's clock.
    public var now: LinkInstant { radio.now }

    /// Waits until `deadline` on the world's clock.
    public func sleep(until deadline: LinkInstant) async throws(BluetoothError) {
        _ = try await radio.wait(for: .never, until: deadline)
    }

    /// Whether the adapter is switched on.
    public var isPowered: Bool { radio.withWorld { $0.isAdapterPowered } }

    /// The most links that the adapter holds.
    public var maximumConnections: Int? {
        radio.withWorld { $0.maximumLinks == .max ? nil : $0.maximumLinks }
    }

    /// Waits until somebody else has driven the world to `deadline`.
    public func waitBeside(until deadline: LinkInstant) async throws(BluetoothError) {
        _ = try await radio.wait(for: .elapsed(deadline), until: .distantFuture)
    }

    /// Waits until the adapter is switched on.
    public func waitUntilPowered(until deadline: LinkInstant) async throws(BluetoothError) {
        guard try await radio.wait(for: .adapterPowered, until: deadline) else {
            throw .poweredOff
        }
    }

    /// Each advertisement that matches, one that says nothing new aside.
    public func advertisements(
        _ filter: ScanFilter, until deadline: LinkInstant
    ) -> SimulatedAdvertisements {
        SimulatedAdvertisements(radio: radio, filter: filter, deadline: deadline)
    }

    /// The devices with a link that another program made, or that nobody here holds any more.
    public func linkedPeers(
        offering service: BluetoothUUID, until deadline: LinkInstant
    ) async throws(BluetoothError) -> [PeerID] {
        radio.withWorld { $0.linkedPeers(offering: service) }
    }

    /// Forgets the central's keys of a device.
    public func forget(_ peer: PeerID) async throws(BluetoothError) {
        radio.withWorld { $0.centralBonds[peer] = nil }
    }

    /// Whether the central has keys of a device.
    public func isBonded(with peer: PeerID) -> Bool? {
        radio.withWorld { $0.centralBonds[peer] != nil }
    }

    /// Connects and exchanges the ATT MTU. PHY and data length are the device's configuration
    /// from the first packet on.
    public func connect(
        to peer: PeerID, until deadline: LinkInstant
    ) async throws(BluetoothError) -> SimulatedConnection {
        let value = try await radio.perform("connecting", until: deadline) { world in
            world.beginConnecting(to: peer)
        }
        guard case .connection(let id) = value else { throw .timedOut("connecting") }
        return SimulatedConnection(radio: radio, id: id, peer: peer)
    }
}

extension SimulatedRadio {
    /// Begins an operation and drives the world until it has ended.
    func perform(
        _ step: String, until deadline: LinkInstant,
        _ begin: (SimulatedWorld) throws(BluetoothError) -> UInt64
    ) async throws(BluetoothError) -> OperationValue {
        let operation = try withWorld(begin)
        do {
            _ = try await wait(for: .operation(operation), until: deadline)
        } catch {
            withWorld { $0.abandon(operation) }
            throw error
        }
        return try withWorld { world throws(BluetoothError) in try world.claim(operation, step) }
    }
}

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

    /// Hands each advertisement that matches to `body`, one that says nothing new aside.
    public func scan(
        _ filter: ScanFilter, until deadline: LinkInstant,
        body: @Sendable (Advertisement) -> Bool
    ) async throws(BluetoothError) {
        if radio.withWorld({ !$0.isAdapterPowered }) { throw .poweredOff }
        let scan = radio.withWorld { $0.beginScan(filter) }
        defer { radio.withWorld { $0.endScan(scan) } }
        while try await radio.wait(for: .scan(scan), until: deadline) {
            while let heard = radio.withWorld({ $0.nextHeard(scan) }) {
                guard body(heard) else { return }
            }
        }
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

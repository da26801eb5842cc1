/// How a value is written (Core 5.4, Vol 3, Part G, 4.9.1 and 4.9.3).
public enum GATTWriteType: Hashable, Sendable, CaseIterable {
    /// A request: the peer answers each one.
    case withResponse
    /// A command: nothing comes back, so that many may be on the way.
    case withoutResponse

    /// The way that a characteristic allows, the faster one where it allows both; nil where it
    /// cannot be written.
    public init?(for properties: GATTProperties) {
        if properties.contains(.writeWithoutResponse) {
            self = .withoutResponse
        } else if properties.contains(.write) {
            self = .withResponse
        } else {
            return nil
        }
    }
}

extension CentralConnection {
    /// Writes a value in the way that the characteristic allows, and waits while the stack is full.
    ///
    /// A value that is longer than the stack takes in that way is
    /// ``ATTError/invalidAttributeValueLength`` before anything is sent, and one that cannot be
    /// written at all ``ATTError/writeNotPermitted``.
    public func send(
        _ value: [UInt8], to characteristic: GATTCharacteristic, until deadline: LinkInstant
    ) async throws(BluetoothError) {
        guard let type = GATTWriteType(for: characteristic.properties) else {
            throw .attribute(.writeNotPermitted)
        }
        guard value.count <= maximumWriteBytes(for: type) else {
            throw .attribute(.invalidAttributeValueLength)
        }
        switch type {
        case .withResponse: try await write(value, to: characteristic, until: deadline)
        case .withoutResponse:
            while try !writeWithoutResponse(value, to: characteristic) {
                guard try await waitUntilReady(for: .writing, until: deadline) == .ready else {
                    throw .timedOut("writing a value")
                }
            }
        }
    }
}

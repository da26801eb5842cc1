import Bluetooth

/// A device's attributes, numbered as Core 5.4, Vol 3, Part G, 3 orders them: a service's
/// declaration, then for each characteristic its declaration, its value, and its client
/// configuration where it notifies.
struct AttributeTable {
    struct Service {
        let uuid: BluetoothUUID
        let handles: ClosedRange<UInt16>
        let characteristics: [CharacteristicRecord]
    }

    private(set) var services: [Service] = []
    private var nextHandle: UInt16 = 1

    mutating func publish(_ declaration: GATTServiceDeclaration) {
        let first = nextHandle
        nextHandle += 1
        var records: [CharacteristicRecord] = []
        for characteristic in declaration.characteristics {
            records.append(
                CharacteristicRecord(
                    declarationHandle: nextHandle, valueHandle: nextHandle + 1,
                    declaration: characteristic))
            nextHandle += characteristic.properties.contains(.notify) ? 3 : 2
        }
        services.append(
            Service(
                uuid: declaration.uuid, handles: first...nextHandle - 1, characteristics: records))
    }

    func service(_ uuid: BluetoothUUID) -> Service? { services.first { $0.uuid == uuid } }

    /// The characteristic whose value, or whose client configuration, has this handle.
    func characteristic(at handle: UInt16) -> (record: CharacteristicRecord, isValue: Bool)? {
        for record in services.lazy.flatMap(\.characteristics) {
            if record.valueHandle == handle { return (record, true) }
            if record.declaration.properties.contains(.notify), record.valueHandle + 1 == handle {
                return (record, false)
            }
        }
        return nil
    }

    /// The value handle of the first characteristic of that name.
    func valueHandle(of uuid: BluetoothUUID) -> UInt16? {
        for service in services {
            for record in service.characteristics where record.declaration.uuid == uuid {
                return record.valueHandle
            }
        }
        return nil
    }

    /// Declarations in a range, as many as one Read By Type response holds: all of one length
    /// (Core 5.4, Vol 3, Part F, 3.4.4.2).
    func declarations(in range: ClosedRange<UInt16>, mtu: Int) -> [CharacteristicRecord] {
        var found: [CharacteristicRecord] = []
        var bytesLeft = mtu - 2
        for record in services.lazy.flatMap(\.characteristics)
        where range.contains(record.declarationHandle) {
            if let first = found.first, first.bytes != record.bytes { break }
            guard record.bytes <= bytesLeft else { break }
            bytesLeft -= record.bytes
            found.append(record)
        }
        return found
    }
}

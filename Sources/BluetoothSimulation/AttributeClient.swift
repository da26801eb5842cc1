import Bluetooth

/// The central's half of ATT: one request on the way at a time (Core 5.4, Vol 3, Part F, 3.3.2),
/// and what came unasked.
struct AttributeClient {
    /// A procedure of one or more requests.
    struct Procedure {
        let operation: UInt64
        var step: Step
    }

    enum Step {
        case exchangeMTU
        case findService(BluetoothUUID)
        case readDeclarations(ClosedRange<UInt16>, found: [CharacteristicRecord])
        case findConfigurations(found: [CharacteristicRecord], index: Int)
        case read(UInt16, soFar: [UInt8])
        case write(UInt16, [UInt8])
    }

    var procedures = FIFO<Procedure>()
    /// The procedure whose request is on the way.
    var current: Procedure?
    var notifications: [UInt16: FIFO<[UInt8]>] = [:]
    var notificationCount = 0
}

/// Discovery takes, with real PDU sizes: one round trip for the service, one for each response
/// full of characteristics and one for their end, and one for each client configuration.
extension SimulatedWorld {
    func begin(_ step: AttributeClient.Step, on link: Link) -> UInt64 {
        let operation = makeOperation(on: link)
        link.client.procedures.append(.init(operation: operation, step: step))
        startProcedures(on: link)
        return operation
    }

    func startProcedures(on link: Link) {
        guard link.client.current == nil, let next = link.client.procedures.popFirst() else {
            return
        }
        request(next, on: link)
    }

    private func request(_ procedure: AttributeClient.Procedure, on link: Link) {
        link.client.current = procedure
        let pdu: AttributePDU
        switch procedure.step {
        case .exchangeMTU: pdu = .exchangeMTURequest(centralATTMTU)
        case .findService(let uuid): pdu = .findServiceRequest(uuid)
        case .readDeclarations(let range, _): pdu = .readByTypeRequest(range)
        case .findConfigurations(let found, let index):
            pdu = .findInformationRequest(found[index].valueHandle + 1)
        case .read(let handle, let soFar):
            pdu =
                soFar.isEmpty
                ? .readRequest(handle) : .readBlobRequest(handle, offset: soFar.count)
        case .write(let handle, let value): pdu = .writeRequest(handle, value)
        }
        guard link.ending.central == nil else { return }
        link.outgoing.central.enqueue(pdu)
        kick(link)
    }

    /// What the device sent.
    func receive(_ pdu: AttributePDU, on link: Link) {
        if case .notification(let handle, let value) = pdu {
            return take(notification: value, handle, on: link)
        }
        guard let procedure = link.client.current else { return }
        link.client.current = nil
        proceed(procedure, with: pdu, on: link)
        startProcedures(on: link)
    }

    private func take(notification value: [UInt8], _ handle: UInt16, on link: Link) {
        guard link.client.notificationCount < link.configuration.centralNotificationLimit else {
            link.statistics.lostNotifications += 1
            return
        }
        link.client.notificationCount += 1
        link.client.notifications[handle, default: FIFO()].append(value)
    }

    private func proceed(
        _ procedure: AttributeClient.Procedure, with pdu: AttributePDU, on link: Link
    ) {
        switch (procedure.step, pdu) {
        case (.exchangeMTU, .exchangeMTUResponse):
            finish(procedure.operation, .success(.connection(link.id)))
        case (.findService(let uuid), .findServiceResponse(let handles)):
            let service = GATTService(uuid: uuid, handles: handles)
            finish(procedure.operation, .success(.services([service])))
        case (.findService, .errorResponse(.attributeNotFound)):
            finish(procedure.operation, .success(.services([])))
        case (.readDeclarations(let range, let found), .readByTypeResponse(let more)):
            proceedDiscovery(procedure, range, found + more, on: link)
        case (.readDeclarations(_, let found), .errorResponse(.attributeNotFound)):
            findConfiguration(procedure, found, from: 0, on: link)
        case (.findConfigurations(let found, let index), .findInformationResponse):
            findConfiguration(procedure, found, from: index + 1, on: link)
        case (.read(let handle, let soFar), .readResponse(let part)):
            let value = soFar + part
            if part.count == link.attMTU - 1 && value.count < ATT.maximumValueBytes {
                goOn(procedure, .read(handle, soFar: value), on: link)
            } else {
                finish(procedure.operation, .success(.value(value)))
            }
        case (.write, .writeResponse):
            finish(procedure.operation, .success(.nothing))
        case (_, .errorResponse(let error)):
            finish(procedure.operation, .failure(.attribute(error)))
        case (_, _):
            finish(procedure.operation, .failure(.attribute(.unlikelyError)))
        }
    }

    private func goOn(
        _ procedure: AttributeClient.Procedure, _ step: AttributeClient.Step, on link: Link
    ) {
        request(.init(operation: procedure.operation, step: step), on: link)
    }

    private func proceedDiscovery(
        _ procedure: AttributeClient.Procedure, _ range: ClosedRange<UInt16>,
        _ found: [CharacteristicRecord], on link: Link
    ) {
        if let last = found.last, last.declarationHandle < range.upperBound {
            let rest = last.declarationHandle + 1...range.upperBound
            goOn(procedure, .readDeclarations(rest, found: found), on: link)
        } else {
            findConfiguration(procedure, found, from: 0, on: link)
        }
    }

    private func findConfiguration(
        _ procedure: AttributeClient.Procedure, _ found: [CharacteristicRecord], from start: Int,
        on link: Link
    ) {
        let next = found.indices[start...].first {
            found[$0].declaration.properties.contains(.notify)
        }
        if let next {
            return goOn(procedure, .findConfigurations(found: found, index: next), on: link)
        }
        let characteristics = found.map {
            GATTCharacteristic(
                uuid: $0.declaration.uuid, handle: $0.valueHandle,
                properties: $0.declaration.properties)
        }
        finish(procedure.operation, .success(.characteristics(characteristics)))
    }
}

import Bluetooth

/// The device's half of ATT (Core 5.4, Vol 3, Part F, 3.4): every request is answered once,
/// commands never are.
extension SimulatedWorld {
    func serve(_ pdu: AttributePDU, on link: Link) {
        switch pdu {
        case .exchangeMTURequest(let clientMTU):
            let mtu = link.device.configuration.attMTU
            respond(.exchangeMTUResponse(mtu), on: link)
            link.attMTU = max(ATT.defaultMTU, min(clientMTU, mtu))
        case .findServiceRequest(let uuid):
            let service = link.device.attributes.service(uuid)
            respond(
                service.map { .findServiceResponse($0.handles) }
                    ?? .errorResponse(.attributeNotFound), on: link)
        case .readByTypeRequest(let range):
            let found = link.device.attributes.declarations(in: range, mtu: link.attMTU)
            respond(
                found.isEmpty ? .errorResponse(.attributeNotFound) : .readByTypeResponse(found),
                on: link)
        case .findInformationRequest(let handle):
            serveFindInformation(handle, on: link)
        case .readRequest(let handle):
            serveRead(handle, offset: 0, on: link)
        case .readBlobRequest(let handle, let offset):
            serveRead(handle, offset: offset, on: link)
        case .writeRequest(let handle, let value):
            serveWrite(handle, value, on: link)
        case .writeCommand(let handle, let value):
            serveCommand(handle, value, on: link)
        case .other(let opcode, _):
            serveOther(opcode, on: link)
        case .exchangeMTUResponse, .findServiceResponse, .readByTypeResponse,
            .findInformationResponse, .readResponse, .writeResponse, .errorResponse, .notification:
            // What a server sends is no request.
            break
        }
    }

    private func respond(_ pdu: AttributePDU, on link: Link) {
        guard link.ending.peripheral == nil else { return }
        link.outgoing.peripheral.enqueue(pdu)
        kick(link)
    }

    /// Core 5.4, Vol 3, Part C, 10.3.1: without keys the link is not authenticated; with keys and
    /// without encryption it is not encrypted.
    private func securityError(_ need: SecurityLevel, on link: Link) -> ATTError? {
        if link.security >= need { return nil }
        if link.hasTooShortKey(for: need) { return .encryptionKeySizeTooShort }
        let hasKeys = (link.device.bond?.level ?? .none) >= need && link.security == .none
        return hasKeys ? .insufficientEncryption : .insufficientAuthentication
    }

    /// A request that this server does not know is refused, prepared and executed writes among
    /// them; a command that it does not know is ignored (3.3).
    private func serveOther(_ opcode: UInt8, on link: Link) {
        guard opcode & AttributePDU.commandFlag == 0,
            !AttributePDU.unansweredOpcodes.contains(opcode)
        else { return }
        respond(.errorResponse(.requestNotSupported), on: link)
    }

    /// Only client configurations are asked for, so others are as if they were not there.
    private func serveFindInformation(_ handle: UInt16, on link: Link) {
        guard handle > 0 else { return respond(.errorResponse(.invalidHandle), on: link) }
        guard let (_, isValue) = link.device.attributes.characteristic(at: handle), !isValue else {
            return respond(.errorResponse(.attributeNotFound), on: link)
        }
        respond(.findInformationResponse(handle), on: link)
    }

    private func serveRead(_ handle: UInt16, offset: Int, on link: Link) {
        guard let (record, isValue) = link.device.attributes.characteristic(at: handle) else {
            return respond(.errorResponse(.invalidHandle), on: link)
        }
        if let error = securityError(record.declaration.security, on: link) {
            return respond(.errorResponse(error), on: link)
        }
        guard isValue else {
            let isOn = link.subscriptions.contains(record.valueHandle)
            return respond(.readResponse([isOn ? 1 : 0, 0]), on: link)
        }
        guard record.declaration.properties.contains(.read) else {
            return respond(.errorResponse(.readNotPermitted), on: link)
        }
        switch link.device.application.value(of: record.declaration.uuid, for: link.id) {
        case .failure(let error):
            respond(.errorResponse(error), on: link)
        case .success(let value):
            let whole = value.prefix(ATT.maximumValueBytes)
            guard offset <= whole.count else {
                return respond(.errorResponse(.invalidOffset), on: link)
            }
            respond(.readResponse(whole.dropFirst(offset).prefix(link.attMTU - 1)), on: link)
        }
    }

    private func serveWrite(_ handle: UInt16, _ value: [UInt8], on link: Link) {
        guard let (record, isValue) = link.device.attributes.characteristic(at: handle) else {
            return respond(.errorResponse(.invalidHandle), on: link)
        }
        if let error = securityError(record.declaration.security, on: link) {
            return respond(.errorResponse(error), on: link)
        }
        guard isValue else { return configure(record, value, on: link) }
        guard record.declaration.properties.contains(.write) else {
            return respond(.errorResponse(.writeNotPermitted), on: link)
        }
        guard value.count <= ATT.maximumValueBytes else {
            return respond(.errorResponse(.invalidAttributeValueLength), on: link)
        }
        if let error = admission(of: value, to: record, on: link) {
            return respond(.errorResponse(error), on: link)
        }
        respond(.writeResponse, on: link)
        announceValue(value, of: record, on: link)
    }

    private func serveCommand(_ handle: UInt16, _ value: [UInt8], on link: Link) {
        guard let (record, isValue) = link.device.attributes.characteristic(at: handle), isValue,
            record.declaration.properties.contains(.writeWithoutResponse),
            link.security >= record.declaration.security, value.count <= ATT.maximumValueBytes,
            admission(of: value, to: record, on: link) == nil
        else { return }
        announceValue(value, of: record, on: link)
    }

    private func admission(
        of value: [UInt8], to record: CharacteristicRecord, on link: Link
    ) -> ATTError? {
        link.device.application.admit(value, to: record.declaration.uuid, on: link.id)
    }

    private func announceValue(_ value: [UInt8], of record: CharacteristicRecord, on link: Link) {
        announce(
            .valueWritten(value, characteristic: record.declaration.uuid, connection: link.id),
            to: link.device)
    }

    /// The client characteristic configuration (Core 5.4, Vol 3, Part G, 3.3.3.3).
    private func configure(_ record: CharacteristicRecord, _ value: [UInt8], on link: Link) {
        guard value.count == 2 else {
            return respond(.errorResponse(.invalidAttributeValueLength), on: link)
        }
        let isOn = value[0] & 1 == 1
        let wasOn = link.subscriptions.contains(record.valueHandle)
        if isOn {
            link.subscriptions.insert(record.valueHandle)
        } else {
            link.subscriptions.remove(record.valueHandle)
        }
        respond(.writeResponse, on: link)
        guard isOn != wasOn else { return }
        announce(
            .notificationsChanged(
                isOn, characteristic: record.declaration.uuid, connection: link.id),
            to: link.device)
    }
}

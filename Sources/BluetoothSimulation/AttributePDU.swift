import Bluetooth

/// A PDU of the Attribute Protocol on its fixed channel, CID 4 (Core 5.4, Vol 3, Part F, 3.4).
enum AttributePDU {
    case exchangeMTURequest(Int)
    case exchangeMTUResponse(Int)
    case findServiceRequest(BluetoothUUID)
    case findServiceResponse(ClosedRange<UInt16>)
    case readByTypeRequest(ClosedRange<UInt16>)
    case readByTypeResponse([CharacteristicRecord])
    case findInformationRequest(UInt16)
    case findInformationResponse(UInt16)
    case readRequest(UInt16)
    case readBlobRequest(UInt16, offset: Int)
    case readResponse(ArraySlice<UInt8>)
    case writeRequest(UInt16, [UInt8])
    case writeResponse
    case errorResponse(ATTError)
    case writeCommand(UInt16, [UInt8])
    case notification(UInt16, [UInt8])

    /// Commands and notifications: nothing comes back for them, so they may queue.
    var isUnanswered: Bool {
        switch self {
        case .writeCommand, .notification: true
        case .exchangeMTURequest, .exchangeMTUResponse, .findServiceRequest, .findServiceResponse,
            .readByTypeRequest, .readByTypeResponse, .findInformationRequest,
            .findInformationResponse, .readRequest, .readBlobRequest, .readResponse,
            .writeRequest, .writeResponse, .errorResponse:
            false
        }
    }

    /// Length with the basic header of 4 bytes.
    var pduBytes: Int { LinkCeiling.basicHeaderBytes + attributeBytes }

    /// Opcode and parameters (3.4.1 to 3.4.7).
    private var attributeBytes: Int {
        switch self {
        case .exchangeMTURequest, .exchangeMTUResponse: 3
        case .findServiceRequest(let uuid): 7 + Self.bytes(of: uuid)
        case .findServiceResponse: 5
        case .readByTypeRequest: 7
        case .readByTypeResponse(let records): records.reduce(2) { $0 + $1.bytes }
        case .findInformationRequest: 5
        case .findInformationResponse: 6
        case .readRequest: 3
        case .readBlobRequest: 5
        case .readResponse(let value): 1 + value.count
        case .writeRequest(_, let value): 3 + value.count
        case .writeResponse: 1
        case .errorResponse: 5
        case .writeCommand(_, let value), .notification(_, let value): 3 + value.count
        }
    }

    static func bytes(of uuid: BluetoothUUID) -> Int { uuid.short == nil ? 16 : 2 }
}

/// A characteristic's declaration as Read By Type returns it (Core 5.4, Vol 3, Part G, 4.6.1).
struct CharacteristicRecord {
    let declarationHandle: UInt16
    let valueHandle: UInt16
    let declaration: GATTCharacteristicDeclaration

    /// Handle, properties, value handle, UUID.
    var bytes: Int { 5 + AttributePDU.bytes(of: declaration.uuid) }
}

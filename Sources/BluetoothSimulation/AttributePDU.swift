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
    /// Any other PDU from the central, by its opcode.
    case other(UInt8, parameterBytes: Int)

    /// Commands and notifications: nothing comes back for them, so they may queue.
    var isUnanswered: Bool {
        switch self {
        case .writeCommand, .notification: true
        case .other(let opcode, _): opcode & Self.commandFlag != 0
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
        case .other(_, let parameterBytes): 1 + parameterBytes
        }
    }

    /// Bit 6 of an opcode: nobody answers (Core 5.4, Vol 3, Part F, 3.3.1).
    static let commandFlag: UInt8 = 0x40
    /// What a server sends, and the confirmation of an indication: nothing that a server answers
    /// (same part, 3.4.8, table 3.43).
    static let unansweredOpcodes: Set<UInt8> = [
        0x01, 0x03, 0x05, 0x07, 0x09, 0x0B, 0x0D, 0x0F, 0x11, 0x13, 0x17, 0x19, 0x1B, 0x1D, 0x1E,
        0x21, 0x23,
    ]

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

import Bluetooth
import Testing

@Suite("ATT's errors")
struct ATTErrorTests {
    /// Core 5.4, Vol 3, Part F, 3.4.1.1, table 3.4; from 0xFC on Core Specification Supplement,
    /// Part B, table 1.1.
    static let table: [(UInt8, ATTError, String, ATTError.Meaning)] = [
        (0x01, .invalidHandle, "Invalid Handle", .notFound),
        (0x02, .readNotPermitted, "Read Not Permitted", .notPermitted),
        (0x03, .writeNotPermitted, "Write Not Permitted", .notPermitted),
        (0x04, .invalidPDU, "Invalid PDU", .request),
        (0x05, .insufficientAuthentication, "Insufficient Authentication", .security),
        (0x06, .requestNotSupported, "Request Not Supported", .request),
        (0x07, .invalidOffset, "Invalid Offset", .request),
        (0x08, .insufficientAuthorization, "Insufficient Authorization", .security),
        (0x09, .prepareQueueFull, "Prepare Queue Full", .busy),
        (0x0A, .attributeNotFound, "Attribute Not Found", .notFound),
        (0x0B, .attributeNotLong, "Attribute Not Long", .request),
        (0x0C, .encryptionKeySizeTooShort, "Encryption Key Size Too Short", .security),
        (0x0D, .invalidAttributeValueLength, "Invalid Attribute Value Length", .value),
        (0x0E, .unlikelyError, "Unlikely Error", .unlikely),
        (0x0F, .insufficientEncryption, "Insufficient Encryption", .security),
        (0x10, .unsupportedGroupType, "Unsupported Group Type", .request),
        (0x11, .insufficientResources, "Insufficient Resources", .busy),
        (0x12, .databaseOutOfSync, "Database Out Of Sync", .outOfSync),
        (0x13, .valueNotAllowed, "Value Not Allowed", .value),
        (0xFC, .writeRequestRejected, "Write Request Rejected", .value),
        (
            0xFD, .improperlyConfigured,
            "Client Characteristic Configuration Descriptor Improperly Configured", .request
        ),
        (0xFE, .procedureAlreadyInProgress, "Procedure Already in Progress", .busy),
        (0xFF, .outOfRange, "Out of Range", .value),
    ]

    @Test("Every code that has a name has the specification's", arguments: table)
    func names(code: UInt8, error: ATTError, name: String, meaning: ATTError.Meaning) {
        #expect(error.code == code)
        #expect(ATTError(code: code) == error)
        #expect(error.name == name)
        #expect(error.meaning == meaning)
    }

    @Test("Every other code is named by its range, and keeps its number")
    func ranges() {
        let named = Set(Self.table.map(\.0))
        for code in UInt8.min...UInt8.max where !named.contains(code) {
            let error = ATTError(code: code)
            switch code {
            case 0x80...0x9F:
                #expect(error.name == "Application Error")
                #expect(error.meaning == .application)
            case 0xE0...0xFB:
                #expect(error.name == "Common Profile and Service Error")
                #expect(error.meaning == .commonProfile)
            case _:
                #expect(error.name == "Reserved for Future Use")
                #expect(error.meaning == .reserved)
            }
            #expect(error.code == code)
        }
        #expect(ATTError(code: 0x85).description == "Application Error (ATT error 0x85)")
        #expect(ATTError.invalidHandle.description == "Invalid Handle (ATT error 0x01)")
    }
}

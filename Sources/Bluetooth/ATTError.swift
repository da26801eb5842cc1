/// Why a peer refused an attribute request (Core 5.4, Vol 3, Part F, 3.4.1.1, table 3.4; the codes
/// from 0xE0 on: Core Specification Supplement, Part B, 1.2).
public struct ATTError: Error, Hashable, Sendable {
    /// The code on the wire.
    public let code: UInt8

    /// Any code; those that the specification does not name keep their number.
    public init(code: UInt8) { self.code = code }

    /// What an error is about, in so far as it says what can be done.
    public enum Meaning: Hashable, Sendable, CaseIterable {
        /// The link is not protected as the attribute demands.
        case security
        /// The attribute does not allow it, to nobody.
        case notPermitted
        /// There is no such attribute.
        case notFound
        /// The server does not know or does not take the request as it was made.
        case request
        /// The server does not take the value.
        case value
        /// The server has no room, or is at something else: later it may do.
        case busy
        /// The attributes are not those that were discovered: discover them again.
        case outOfSync
        /// The server failed, and no code says how.
        case unlikely
        /// The service says it in a code of its own (0x80…0x9F).
        case application
        /// A profile says it in a code that has no name here (0xE0…0xFB).
        case commonProfile
        /// The specification gives the code no meaning.
        case reserved
    }

    /// Codes that each service defines for itself.
    public static let applicationRange: ClosedRange<UInt8> = 0x80...0x9F
    /// Codes that all profiles share.
    public static let commonProfileRange: ClosedRange<UInt8> = 0xE0...0xFF
}

extension ATTError {
    /// The handle names nothing.
    public static let invalidHandle = ATTError(code: 0x01)
    /// The value cannot be read.
    public static let readNotPermitted = ATTError(code: 0x02)
    /// The value cannot be written.
    public static let writeNotPermitted = ATTError(code: 0x03)
    /// The request was malformed.
    public static let invalidPDU = ATTError(code: 0x04)
    /// The link must be authenticated first.
    public static let insufficientAuthentication = ATTError(code: 0x05)
    /// The server does not know the request.
    public static let requestNotSupported = ATTError(code: 0x06)
    /// The offset lies behind the value's end.
    public static let invalidOffset = ATTError(code: 0x07)
    /// The server does not let this client do it.
    public static let insufficientAuthorization = ATTError(code: 0x08)
    /// Too many writes are prepared.
    public static let prepareQueueFull = ATTError(code: 0x09)
    /// No attribute in the range.
    public static let attributeNotFound = ATTError(code: 0x0A)
    /// The value is short, and cannot be read in parts.
    public static let attributeNotLong = ATTError(code: 0x0B)
    /// The key is too short.
    public static let encryptionKeySizeTooShort = ATTError(code: 0x0C)
    /// The value's length does not fit.
    public static let invalidAttributeValueLength = ATTError(code: 0x0D)
    /// Something else went wrong.
    public static let unlikelyError = ATTError(code: 0x0E)
    /// The link must be encrypted first.
    public static let insufficientEncryption = ATTError(code: 0x0F)
    /// Attributes of that type are not grouped.
    public static let unsupportedGroupType = ATTError(code: 0x10)
    /// The server has no memory left for it.
    public static let insufficientResources = ATTError(code: 0x11)
    /// The attributes have changed since they were discovered.
    public static let databaseOutOfSync = ATTError(code: 0x12)
    /// The value is not allowed.
    public static let valueNotAllowed = ATTError(code: 0x13)
    /// The write is refused, for a reason that is not permission.
    public static let writeRequestRejected = ATTError(code: 0xFC)
    /// The notification was not asked for: the client's configuration is not set.
    public static let improperlyConfigured = ATTError(code: 0xFD)
    /// The service still does what was asked before.
    public static let procedureAlreadyInProgress = ATTError(code: 0xFE)
    /// The value lies outside of what the profile allows.
    public static let outOfRange = ATTError(code: 0xFF)
}

extension ATTError: CustomStringConvertible {
    /// The specification's name, for example `Insufficient Authentication`; that of the range where
    /// the code itself has none.
    public var name: String { entry.name }

    /// What the error is about.
    public var meaning: Meaning { entry.meaning }

    /// `Invalid Handle (ATT error 0x01)`.
    public var description: String { "\(name) (ATT error \(code.codeText))" }

    private typealias Entry = (name: String, meaning: Meaning)

    private var entry: Entry {
        if let named = Self.named[self] { return named }
        if Self.applicationRange.contains(code) { return ("Application Error", .application) }
        if Self.commonProfileRange.contains(code) {
            return ("Common Profile and Service Error", .commonProfile)
        }
        return ("Reserved for Future Use", .reserved)
    }

    private static let named: [ATTError: Entry] = [
        .invalidHandle: ("Invalid Handle", .notFound),
        .readNotPermitted: ("Read Not Permitted", .notPermitted),
        .writeNotPermitted: ("Write Not Permitted", .notPermitted),
        .invalidPDU: ("Invalid PDU", .request),
        .insufficientAuthentication: ("Insufficient Authentication", .security),
        .requestNotSupported: ("Request Not Supported", .request),
        .invalidOffset: ("Invalid Offset", .request),
        .insufficientAuthorization: ("Insufficient Authorization", .security),
        .prepareQueueFull: ("Prepare Queue Full", .busy),
        .attributeNotFound: ("Attribute Not Found", .notFound),
        .attributeNotLong: ("Attribute Not Long", .request),
        .encryptionKeySizeTooShort: ("Encryption Key Size Too Short", .security),
        .invalidAttributeValueLength: ("Invalid Attribute Value Length", .value),
        .unlikelyError: ("Unlikely Error", .unlikely),
        .insufficientEncryption: ("Insufficient Encryption", .security),
        .unsupportedGroupType: ("Unsupported Group Type", .request),
        .insufficientResources: ("Insufficient Resources", .busy),
        .databaseOutOfSync: ("Database Out Of Sync", .outOfSync),
        .valueNotAllowed: ("Value Not Allowed", .value),
        .writeRequestRejected: ("Write Request Rejected", .value),
        .improperlyConfigured: (
            "Client Characteristic Configuration Descriptor Improperly Configured", .request
        ),
        .procedureAlreadyInProgress: ("Procedure Already in Progress", .busy),
        .outOfRange: ("Out of Range", .value),
    ]
}

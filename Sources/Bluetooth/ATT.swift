/// The Attribute Protocol's bounds (Core 5.4, Vol 3, Part F, 3.2.8 and 3.2.9; Part G, 5.2.1).
public enum ATT {
    /// What every LE link starts with.
    public static let defaultMTU = 23
    /// The longest MTU that is of use: a value of 512 and its header.
    public static let maximumMTU = 517
    /// The longest value of any attribute.
    public static let maximumValueBytes = 512

    /// The longest value that one write command or notification carries at this MTU.
    public static func maximumValueBytes(mtu: Int) -> Int {
        min(mtu - LinkCeiling.attHeaderBytes, maximumValueBytes)
    }

    /// The value length that moves the most bytes per second at this MTU.
    ///
    /// A value whose PDU ends in a nearly empty packet is slower than a shorter one: 517 loses a
    /// tenth to 498 with 251-byte packets. So the two candidates are the longest value, and the
    /// longest one that fills its last packet.
    /// - Parameter timing: the link's; where it is not known, 2M and 251 bytes are assumed.
    public static func efficientValueBytes(mtu: Int, timing: LinkTiming?) -> Int {
        let timing = timing ?? LinkTiming(phy: .le2M, dataLengthBytes: 251, isEncrypted: true)
        let longest = maximumValueBytes(mtu: mtu)
        let headers = LinkCeiling.attHeaderBytes + LinkCeiling.basicHeaderBytes
        let packets = (longest + headers) / timing.dataLengthBytes
        let filled = packets * timing.dataLengthBytes - headers
        guard filled > 0 else { return longest }
        let ceiling = LinkCeiling(timing: timing, connectionIntervalMicroseconds: nil)
        return ceiling.gattBytesPerSecond(valueBytes: filled)
            > ceiling.gattBytesPerSecond(valueBytes: longest) ? filled : longest
    }
}

/// Why a peer refused an attribute request (Core 5.4, Vol 3, Part F, 3.4.1.1, table 3.4).
public struct ATTError: Error, Hashable, Sendable {
    /// The code on the wire.
    public let code: UInt8

    /// Any code; those without a name here keep their number.
    public init(code: UInt8) { self.code = code }

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
    /// The server does not let this client do it.
    public static let insufficientAuthorization = ATTError(code: 0x08)
    /// No attribute in the range.
    public static let attributeNotFound = ATTError(code: 0x0A)
    /// The key is too short.
    public static let encryptionKeySizeTooShort = ATTError(code: 0x0C)
    /// The value's length does not fit.
    public static let invalidAttributeValueLength = ATTError(code: 0x0D)
    /// Something else went wrong.
    public static let unlikelyError = ATTError(code: 0x0E)
    /// The link must be encrypted first.
    public static let insufficientEncryption = ATTError(code: 0x0F)
    /// The server has no memory left for it.
    public static let insufficientResources = ATTError(code: 0x11)
    /// The value is not allowed.
    public static let valueNotAllowed = ATTError(code: 0x13)
    /// The notification was not asked for: the client's configuration is not set.
    public static let improperlyConfigured = ATTError(code: 0xFD)
}

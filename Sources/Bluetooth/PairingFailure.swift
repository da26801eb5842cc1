/// Why pairing failed: the reason of the "Pairing Failed" command, which either side sends
/// (Core 5.4, Vol 3, Part H, 3.5.5, table 3.7).
public struct PairingFailure: Hashable, Sendable {
    /// The code on the wire.
    public let code: UInt8

    /// Any code; those that the specification does not name keep their number.
    public init(code: UInt8) { self.code = code }

    /// The passkey was not entered: the person broke off.
    public static let passkeyEntryFailed = PairingFailure(code: 0x01)
    /// There is no data from a second channel, as from a tag.
    public static let oobNotAvailable = PairingFailure(code: 0x02)
    /// What both sides can show and enter does not make the authentication that is asked for.
    public static let authenticationRequirements = PairingFailure(code: 0x03)
    /// The numbers did not agree: a wrong passkey.
    public static let confirmValueFailed = PairingFailure(code: 0x04)
    /// The device does not pair, or does not now.
    public static let pairingNotSupported = PairingFailure(code: 0x05)
    /// The key would be too short.
    public static let encryptionKeySize = PairingFailure(code: 0x06)
    /// The device does not know the command.
    public static let commandNotSupported = PairingFailure(code: 0x07)
    /// No reason was given.
    public static let unspecifiedReason = PairingFailure(code: 0x08)
    /// Too soon after a failed attempt.
    public static let repeatedAttempts = PairingFailure(code: 0x09)
    /// A command was malformed.
    public static let invalidParameters = PairingFailure(code: 0x0A)
    /// The key check did not agree.
    public static let dhKeyCheckFailed = PairingFailure(code: 0x0B)
    /// The person said that the two numbers differ.
    public static let numericComparisonFailed = PairingFailure(code: 0x0C)
    /// The two already pair over BR/EDR.
    public static let pairingOverBREDRInProgress = PairingFailure(code: 0x0D)
    /// Keys of one transport are not to be used for the other.
    public static let crossTransportKeyNotAllowed = PairingFailure(code: 0x0E)
    /// A public key was refused.
    public static let keyRejected = PairingFailure(code: 0x0F)
}

extension PairingFailure: CustomStringConvertible {
    /// The specification's name, for example `Confirm Value Failed`.
    public var name: String { Self.names[self] ?? "Reserved for Future Use" }

    /// `Confirm Value Failed (pairing error 0x04)`.
    public var description: String { "\(name) (pairing error \(code.codeText))" }

    /// What it comes to for whoever wanted the link secured.
    public var error: BluetoothError {
        self == .encryptionKeySize
            ? .keyTooShort(wantedBits: nil, reachedBits: nil)
            : .authenticationRefused(.pairing(self))
    }

    private static let names: [PairingFailure: String] = [
        .passkeyEntryFailed: "Passkey Entry Failed",
        .oobNotAvailable: "OOB Not Available",
        .authenticationRequirements: "Authentication Requirements",
        .confirmValueFailed: "Confirm Value Failed",
        .pairingNotSupported: "Pairing Not Supported",
        .encryptionKeySize: "Encryption Key Size",
        .commandNotSupported: "Command Not Supported",
        .unspecifiedReason: "Unspecified Reason",
        .repeatedAttempts: "Repeated Attempts",
        .invalidParameters: "Invalid Parameters",
        .dhKeyCheckFailed: "DHKey Check Failed",
        .numericComparisonFailed: "Numeric Comparison Failed",
        .pairingOverBREDRInProgress: "BR/EDR Pairing in Progress",
        .crossTransportKeyNotAllowed: "Cross-transport Key Derivation/Generation Not Allowed",
        .keyRejected: "Key Rejected",
    ]
}

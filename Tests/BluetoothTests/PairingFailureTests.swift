import Bluetooth
import Testing

@Suite("Why pairing fails")
struct PairingFailureTests {
    /// Core 5.4, Vol 3, Part H, 3.5.5, table 3.7.
    static let table: [(UInt8, PairingFailure, String)] = [
        (0x01, .passkeyEntryFailed, "Passkey Entry Failed"),
        (0x02, .oobNotAvailable, "OOB Not Available"),
        (0x03, .authenticationRequirements, "Authentication Requirements"),
        (0x04, .confirmValueFailed, "Confirm Value Failed"),
        (0x05, .pairingNotSupported, "Pairing Not Supported"),
        (0x06, .encryptionKeySize, "Encryption Key Size"),
        (0x07, .commandNotSupported, "Command Not Supported"),
        (0x08, .unspecifiedReason, "Unspecified Reason"),
        (0x09, .repeatedAttempts, "Repeated Attempts"),
        (0x0A, .invalidParameters, "Invalid Parameters"),
        (0x0B, .dhKeyCheckFailed, "DHKey Check Failed"),
        (0x0C, .numericComparisonFailed, "Numeric Comparison Failed"),
        (0x0D, .pairingOverBREDRInProgress, "BR/EDR Pairing in Progress"),
        (
            0x0E, .crossTransportKeyNotAllowed,
            "Cross-transport Key Derivation/Generation Not Allowed"
        ),
        (0x0F, .keyRejected, "Key Rejected"),
    ]

    @Test("Every reason has the specification's name", arguments: table)
    func names(code: UInt8, failure: PairingFailure, name: String) {
        #expect(failure.code == code)
        #expect(failure.name == name)
    }

    @Test("A reason without a name keeps its number")
    func unnamed() {
        #expect(
            PairingFailure(code: 0x4F).description
                == "Reserved for Future Use (pairing error 0x4F)")
    }

    @Test("A key that is too short is told as that, every other reason as a refusal")
    func errors() {
        for (_, failure, _) in Self.table {
            let expected: BluetoothError =
                failure.code == 0x06
                ? .keyTooShort(wantedBits: nil, reachedBits: nil)
                : .authenticationRefused(.pairing(failure))
            #expect(failure.error == expected)
        }
    }
}

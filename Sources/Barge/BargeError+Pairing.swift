import Bluetooth

/// What goes wrong with a link's security. None of it is ever answered by doing with less.
extension BargeError {
    fileprivate static let pairAgain =
        "Forget its keys and pair again: barge forget --keys DEVICE, then barge pair DEVICE"

    static func securityNotReached(_ wanted: SecurityLevel, _ reason: String) -> BargeError {
        BargeError(
            .security, "security-not-reached", what: "The link is not \(wanted.name)",
            why: reason,
            advice: "Forget the device on both sides and pair again, or ask for another "
                + "--security")
    }

    static func pairingRemoved(by side: BondSide) -> BargeError {
        let (why, advice) =
            switch side {
            case .peer: ("the device has lost its keys for this computer", pairAgain)
            case .local:
                (
                    "this computer has no keys for the device, which still has its own",
                    "Clear the pairing on the device, then pair again: barge pair DEVICE"
                )
            }
        return BargeError(
            .security, "pairing-removed", what: "The pairing is gone", why: why, advice: advice)
    }

    init(_ refusal: AuthenticationRefusal, while action: String) {
        let (why, advice) =
            switch refusal {
            case .pairing(let failure): (failure.text, failure.advice)
            case .link(let status):
                ("the device and this computer did not authenticate: \(status)", Self.pairAgain)
            case .declined:
                ("the pairing was declined at this computer", "Pair again, and accept it")
            }
        self.init(
            .security, "authentication-refused", what: "Authentication failed while \(action)",
            why: why, advice: advice)
    }

    /// Absent is what nobody said.
    static func keyTooShort(wantedBits: Int?, reachedBits: Int?) -> BargeError {
        let why =
            switch (wantedBits, reachedBits) {
            case (let wanted?, let reached?): "it has \(reached) bits, and \(wanted) are wanted"
            case (let wanted?, nil): "\(wanted) bits are wanted"
            case (nil, let reached?): "it has \(reached) bits, and more are wanted"
            case (nil, nil): "one side wants a longer one than the other makes"
            }
        return BargeError(
            .security, "key-too-short", what: "The encryption key is too short", why: why,
            advice: "Update the device's firmware, or ask for a lower --security if the shorter "
                + "key is this computer's own demand")
    }

    static func encryptionTimedOut(while action: String) -> BargeError {
        BargeError(
            .security, "encryption-timed-out", what: "The link was not encrypted in time",
            why: "the device did not answer while \(action)",
            advice: "Bring the device closer and try again; if that does not help, forget it and "
                + "pair again", recovery: .retry)
    }

    static func tooManyPairings(while action: String) -> BargeError {
        BargeError(
            .security, "too-many-pairings", what: "Failed while \(action)",
            why: "one side remembers as many paired devices as it can",
            advice: "Forget one that is not needed any more: barge forget DEVICE")
    }
}

extension PairingFailure {
    /// The failure as the end of a sentence, with its name.
    fileprivate var text: String {
        let words: String? =
            switch self {
            case .passkeyEntryFailed: "the passkey was not entered"
            case .oobNotAvailable: "there is no pairing data from a second channel"
            case .authenticationRequirements:
                "the device has no way to authenticate as was asked for"
            case .confirmValueFailed: "the passkey was wrong, or somebody is in between"
            case .pairingNotSupported: "the device does not pair now"
            case .repeatedAttempts: "the last attempt was too short a time ago"
            case .dhKeyCheckFailed, .keyRejected: "the keys did not agree"
            case .numericComparisonFailed: "the two numbers were said to differ"
            case .pairingOverBREDRInProgress: "the device is already pairing"
            case _: nil
            }
        return words.map { "\($0): \(self)" } ?? "pairing failed: \(self)"
    }

    fileprivate var advice: String {
        switch self {
        case .passkeyEntryFailed, .confirmValueFailed:
            "Pair again, and enter the passkey that the device shows or has printed on it"
        case .numericComparisonFailed:
            "Pair again, and accept only if both sides show the same number"
        case .authenticationRequirements, .oobNotAvailable:
            "Ask for a --security that the device can reach"
        case .pairingNotSupported: "Put the device into its pairing mode and pair again"
        // By itself that would only make the device wait longer (Vol 3, Part H, 2.3.6).
        case .repeatedAttempts: "Wait a minute, then pair again"
        case .pairingOverBREDRInProgress: "Let the other pairing end, then pair again"
        case _: BargeError.pairAgain
        }
    }
}

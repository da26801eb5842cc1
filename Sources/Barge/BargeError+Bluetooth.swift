import Bluetooth

/// What the stack says, in words that help. The sentences stand beside, by what they are about:
/// the adapter and the device here, the link, its security, attributes and channels in files of
/// their own.
extension BargeError {
    /// The stack's failure in a sentence; `action` is what was being done, as in "scanning".
    public init(_ error: BluetoothError, while action: String) {
        let recovery = Recovery(error.persistence)
        switch error {
        case .unavailable(let reason): self = .unavailable(reason)
        case .poweredOff: self = .poweredOff
        case .stackFailed(let failure): self.init(failure, while: action, recovery: recovery)
        case .notSupported(let feature): self = .notSupported(feature, while: action)
        case .connectionLimit: self = .connectionLimit(while: action)
        case .outOfSpace: self = .outOfSpace(while: action)
        case .peerNotFound(let peer): self = .peerNotFound(peer)
        case .connectionFailed(let failure): self.init(failure, while: action)
        case .notConnected: self = .notConnected(while: action)
        case .timedOut(let step): self = .timedOut(step, while: action)
        case .linkLost(let reason): self.init(reason, while: action)
        case .securityNotReached(let wanted, let reason):
            self = .securityNotReached(wanted, reason)
        case .pairingRemoved(let side): self = .pairingRemoved(by: side)
        case .authenticationRefused(let refusal): self.init(refusal, while: action)
        case .keyTooShort(let wanted, let reached):
            self = .keyTooShort(wantedBits: wanted, reachedBits: reached)
        case .encryptionTimedOut: self = .encryptionTimedOut(while: action)
        case .tooManyPairings: self = .tooManyPairings(while: action)
        case .attribute(let attribute): self.init(attribute, while: action, recovery: recovery)
        case .noSuchService(let uuid): self = .noSuchService(uuid, while: action)
        case .noSuchAttribute(let uuid): self = .noSuchAttribute(uuid, while: action)
        case .notificationLimit(let limit): self.init(limit, while: action)
        case .channelRefused(let refusal): self.init(refusal, while: action, recovery: recovery)
        case .channelClosed: self = .channelClosed(while: action)
        case .advertisementTooLong(let bytes, let limit):
            self = .advertisementTooLong(bytes: bytes, limit: limit)
        case .canceled: self = .canceled
        }
    }
}

extension BargeError.Recovery {
    /// What helps, where nothing was begun that could be gone on with.
    fileprivate init(_ persistence: BluetoothError.Persistence) {
        switch persistence {
        case .passing, .queued: self = .retry
        case .terminal, .canceled: self = .giveUp
        }
    }
}

extension BargeError {
    private static func unavailable(_ reason: String) -> BargeError {
        BargeError(
            .bluetoothUnavailable, "bluetooth-unavailable",
            what: "Bluetooth cannot be used", why: reason,
            advice: "Use a simulated device (sim:demo), or a computer with Bluetooth")
    }

    private static var poweredOff: BargeError {
        BargeError(
            .bluetoothUnavailable, "adapter-off", what: "Bluetooth cannot be used",
            why: "the adapter is switched off", advice: "Switch it on and try again")
    }

    private init(_ failure: StackFailure, while action: String, recovery: Recovery) {
        let why =
            switch failure {
            case .unspecified: "the system's Bluetooth failed and gave no reason"
            case .invalidParameters: "the system's Bluetooth does not take the parameters"
            case .uuidNotAllowed: "the system keeps this service to itself"
            case .alreadyAdvertising: "the system advertises already"
            case .system(let text): "the system's Bluetooth says: \(text)"
            }
        self.init(
            .bluetoothUnavailable, "bluetooth-failed", what: "Failed while \(action)", why: why,
            advice: "Switch the adapter off and on and try again; if that does not help, report "
                + "it with --log", recovery: recovery)
    }

    private static func notSupported(_ feature: String, while action: String) -> BargeError {
        BargeError(
            .refused, "feature-not-supported", what: "Failed while \(action)",
            why: "the device or this computer's adapter does not support \(feature)",
            advice: "Use another adapter, or newer firmware of the device")
    }

    private static func outOfSpace(while action: String) -> BargeError {
        BargeError(
            .refused, "out-of-space", what: "Failed while \(action)",
            why: "there is no memory left for it",
            advice: "Make room on the device, or send something smaller")
    }

    private static func peerNotFound(_ peer: PeerID) -> BargeError {
        // A retry may find it, and yet is not made by itself: a name that was mistyped would keep
        // its user waiting.
        BargeError(
            .deviceNotFound, "device-not-found", what: "No device \(peer)",
            why: "nothing of that name was heard", advice: "See what is there: barge scan")
    }

    private static func advertisementTooLong(bytes: Int, limit: Int) -> BargeError {
        BargeError(
            .bluetoothUnavailable, "advertisement-too-long",
            what: "The advertisement does not fit",
            why: "it has \(bytes) bytes, and there is room for \(limit)",
            advice: "Use a shorter name, or announce fewer services")
    }
}

import Bluetooth

/// What the stack says, in words that help.
extension BargeError {
    init(_ error: BluetoothError, while action: String) {
        switch error {
        case .unavailable(let reason):
            self.init(
                .bluetoothUnavailable, "bluetooth-unavailable",
                what: "Bluetooth cannot be used", why: reason,
                advice: "Use a simulated device (sim:demo), or a computer with Bluetooth")
        case .poweredOff:
            self.init(
                .bluetoothUnavailable, "adapter-off", what: "Bluetooth cannot be used",
                why: "the adapter is switched off", advice: "Switch it on and try again")
        case .peerNotFound(let peer):
            self.init(
                .deviceNotFound, "device-not-found", what: "No device \(peer)",
                why: "nothing of that name was heard", advice: "See what is there: barge scan")
        case .timedOut(let step):
            self.init(
                .linkLost, "timed-out", what: "No answer while \(action)",
                why: "the device did not answer in time (\(step))",
                advice: "Bring the device closer, or give it more --timeout, and run the same "
                    + "command again: it goes on where it was", recovery: .resume)
        case .linkLost(let reason): self.init(linkLost: reason, while: action)
        case .securityNotReached(let wanted, let reason):
            self.init(
                .security, "security-not-reached",
                what: "The link is not \(wanted.name)", why: reason,
                advice: "Forget the device on both sides and pair again, or ask for another "
                    + "--security")
        case .attribute(let attribute): self.init(attribute, while: action)
        case .noSuchAttribute(let uuid):
            self.init(
                .refused, "no-such-attribute", what: "Failed while \(action)",
                why: "the device has no attribute \(uuid)",
                advice: "Check that it runs firmware with the Barge service")
        case .channelRefused(let refusal): self.init(refusal, while: action)
        case .channelClosed:
            self.init(
                .linkLost, "channel-closed", what: "Stopped while \(action)",
                why: "the device closed the channel",
                advice: "Run the same command again: it goes on where it was",
                recovery: .resume)
        case .canceled: self = .canceled
        }
    }

    private init(linkLost reason: LinkLossReason, while action: String) {
        let why =
            switch reason {
            case .supervisionTimeout: "the device was not heard any more"
            case .remoteTerminated: "the device ended the link"
            case .localTerminated: "this side ended the link"
            case .adapterGone: "the Bluetooth adapter went away"
            }
        self.init(
            .linkLost, "link-lost", what: "The link was lost while \(action)", why: why,
            advice: "Run the same command again: it goes on where it was",
            recovery: .resume)
    }

    private init(_ error: ATTError, while action: String) {
        switch error {
        case .insufficientAuthentication, .insufficientEncryption, .insufficientAuthorization,
            .encryptionKeySizeTooShort:
            self.init(
                .security, "attribute-protected", what: "Failed while \(action)",
                why: "the device wants a better protected link (ATT error \(error.code))",
                advice: "Pair with the device, or ask for a higher --security")
        default:
            self.init(
                .refused, "attribute-error", what: "Failed while \(action)",
                why: "the device answered ATT error \(error.code)",
                advice: "Check that it runs firmware with the Barge service")
        }
    }

    private init(_ refusal: ChannelRefusal, while action: String) {
        if refusal.isAboutSecurity {
            self.init(
                .security, "channel-protected", what: "Failed while \(action)",
                why: refusal.reason,
                advice: "Pair with the device, or ask for a higher --security")
        } else {
            self.init(
                .refused, "channel-refused", what: "Failed while \(action)",
                why: refusal.reason, advice: "Try --transport gatt, or another --psm")
        }
    }
}

extension ChannelRefusal {
    /// The refusal as the end of a sentence.
    var reason: String {
        switch self {
        case .psmNotSupported: "nobody listens on that PSM"
        case .noResources: "the device has no room for another channel"
        case .insufficientAuthentication: "the device wants an authenticated link"
        case .insufficientAuthorization: "the device does not let this host in"
        case .keyTooShort: "the device wants a longer encryption key"
        case .insufficientEncryption: "the device wants an encrypted link"
        case .unacceptableParameters: "the device does not take the channel's parameters"
        case .notSupported: "there are no connection-oriented channels"
        }
    }

    /// True where another pipe would fail for the same reason.
    var isAboutSecurity: Bool {
        switch self {
        case .insufficientAuthentication, .insufficientAuthorization, .keyTooShort,
            .insufficientEncryption:
            true
        case .psmNotSupported, .noResources, .unacceptableParameters, .notSupported: false
        }
    }
}

import Bluetooth

/// What goes wrong with a connection-oriented channel.
extension BargeError {
    init(_ refusal: ChannelRefusal, while action: String, recovery: Recovery) {
        if refusal.isAboutSecurity {
            self.init(
                .security, "channel-protected", what: "Failed while \(action)",
                why: refusal.reason,
                advice: "Pair with it first: barge pair DEVICE")
        } else {
            self.init(
                .refused, "channel-refused", what: "Failed while \(action)",
                why: refusal.reason, advice: "Try --transport gatt, or another --psm",
                recovery: recovery)
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

import Bluetooth

/// What goes wrong with a device's services and attributes.
extension BargeError {
    fileprivate static let checkFirmware = "Check that it runs firmware with the Barge service"

    static func noSuchService(_ uuid: BluetoothUUID, while action: String) -> BargeError {
        BargeError(
            .refused, "no-such-service", what: "Failed while \(action)",
            why: "the device has no service \(uuid)", advice: checkFirmware)
    }

    static func noSuchAttribute(_ uuid: BluetoothUUID, while action: String) -> BargeError {
        BargeError(
            .refused, "no-such-attribute", what: "Failed while \(action)",
            why: "the device has no attribute \(uuid)", advice: checkFirmware)
    }

    init(_ error: ATTError, while action: String, recovery: Recovery) {
        let isAboutSecurity = error.meaning == .security
        let wish = isAboutSecurity ? "the device wants a better protected link" : nil
        self.init(
            isAboutSecurity ? .security : .refused,
            isAboutSecurity ? "attribute-protected" : "attribute-error",
            what: "Failed while \(action)",
            why: wish.map { "\($0): \(error)" } ?? "the device answered \(error)",
            advice: error.advice, recovery: recovery)
    }
}

extension ATTError {
    fileprivate var advice: String {
        switch meaning {
        case .security where self == .insufficientAuthorization:
            "Let the device permit this computer, or pair with it"
        case .security: "Pair with it first: barge pair DEVICE"
        case .busy: "Try again in a while"
        case .outOfSync: "Run the same command again: it reads the device's services anew"
        case .notPermitted, .notFound, .request, .value, .unlikely, .reserved:
            BargeError.checkFirmware
        case .application, .commonProfile:
            "Look the number up in the documentation of the device's firmware"
        }
    }
}

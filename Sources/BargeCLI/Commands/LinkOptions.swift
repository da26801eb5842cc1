import Barge

/// The level that a link must reach before a byte of cargo travels.
enum SecurityChoice: String, CaseIterable, Sendable {
    case none, encrypted, authenticated, fips

    /// The word for a level that was reached.
    init(_ level: SecurityLevel) {
        self =
            switch level {
            case .none: .none
            case .encrypted: .encrypted
            case .authenticated: .authenticated
            case .fips: .fips
            }
    }
}

/// The way that a transfer may take.
enum TransportChoice: String, CaseIterable, Sendable {
    case auto, coc, gatt
}

/// Options of every command that talks to a device.
enum LinkOptions {
    static let security = Option(
        "security", ValueKind.choice(SecurityChoice.self), default: "encrypted",
        "The level that the link must reach; less is an error, never accepted in silence")
    static let passkey = Option(
        "passkey", ValueKind.passkey,
        "Pair with the six digits that the device shows, or that are printed on it")
    static let yes = Option(
        flag: "yes",
        "Pair without asking whether both sides show the same digits, or whether the digits that"
            + " are shown here were typed there")
    static let psm = Option(
        "psm", ValueKind.integer(0x01...0xFF, isHexadecimal: true),
        "Connect to this LE PSM and do not look for one:"
            + " 0x80 to 0xFF, below that only those that the Bluetooth SIG has assigned")
    static let psmCharacteristic = Option(
        "psm-characteristic", ValueKind.uuid, "Read the PSM from the characteristic UUID")
    static let transport = Option(
        "transport", ValueKind.choice(TransportChoice.self), default: "auto",
        "coc: an L2CAP channel or fail; gatt: GATT alone; auto: the channel, else GATT")
    static let timeout = Option(
        "timeout", ValueKind.duration(.milliseconds(100)...(.seconds(3_600))), default: "10s",
        "Patience with each step of connecting")
    static let giveUpAfter = Option(
        "give-up-after", ValueKind.duration(.seconds(1)...(.seconds(86_400))), default: "5m",
        "Stop reconnecting after so long without progress")

    static let group = OptionGroup(
        title: "Link options", isShared: true,
        options: [
            security.declaration, transport.declaration, psm.declaration,
            psmCharacteristic.declaration, timeout.declaration, giveUpAfter.declaration,
            passkey.declaration, yes.declaration,
        ])

    /// A PSM is a matter of CoC alone.
    @Sendable static func rule(_ arguments: ParsedArguments) -> Failure? {
        let hasPSM = arguments[psm] != nil || arguments[psmCharacteristic] != nil
        guard hasPSM, arguments[transport] == .gatt else { return nil }
        return UsageFailure.contradiction(
            arguments[psm] == nil ? "--psm-characteristic" : "--psm", "--transport gatt",
            why: "GATT has no PSM")
    }
}

/// The link options of one command line.
struct LinkSettings: Sendable {
    let security: SecurityChoice
    let transport: TransportChoice
    let psm: Int?
    /// In upper case, with 4, 8 or 36 characters.
    let psmCharacteristic: String?
    let stepTimeout: Duration
    let giveUpAfter: Duration

    init(_ arguments: ParsedArguments) {
        security = arguments[LinkOptions.security]
        transport = arguments[LinkOptions.transport]
        psm = arguments[LinkOptions.psm]
        psmCharacteristic = arguments[LinkOptions.psmCharacteristic]
        stepTimeout = arguments[LinkOptions.timeout]
        giveUpAfter = arguments[LinkOptions.giveUpAfter]
    }
}

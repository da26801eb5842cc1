import Barge

extension HostOptions {
    /// What a command line asks for.
    init(_ settings: LinkSettings) {
        self.init()
        security = SecurityLevel(settings.security)
        switch settings.transport {
        case .auto: transport = .automatic
        case .coc: transport = .coc
        case .gatt: transport = .gatt
        }
        psm = settings.psm.flatMap { PSM(UInt16(clamping: $0)) }
        psmCharacteristic = settings.psmCharacteristic.flatMap { BluetoothUUID($0) }
        stepMicroseconds = settings.stepTimeout.microseconds
        giveUpMicroseconds = settings.giveUpAfter.microseconds
    }
}

extension SecurityLevel {
    init(_ choice: SecurityChoice) {
        switch choice {
        case .none: self = .none
        case .encrypted: self = .encrypted
        case .authenticated: self = .authenticated
        case .fips: self = .fips
        }
    }
}

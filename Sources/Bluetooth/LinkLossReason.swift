/// How a link ended.
public enum LinkLossReason: Hashable, Sendable {
    /// Nothing was heard for the supervision timeout (HCI 0x08).
    case supervisionTimeout
    /// The peer ended it (HCI 0x13).
    case remoteTerminated
    /// The peer ended it since it is short of resources (HCI 0x14).
    case remoteOutOfResources
    /// The peer ended it since it is being switched off (HCI 0x15).
    case remotePoweredOff
    /// We ended it (HCI 0x16).
    case localTerminated
    /// The peer's link layer did not answer (HCI 0x22).
    case responseTimeout
    /// A change of the link came too late (HCI 0x28).
    case instantPassed
    /// A side did not take the link's parameters (HCI 0x3B).
    case unacceptableParameters
    /// A packet did not pass the check of its encryption (HCI 0x3D).
    case integrityFailure
    /// The peer was not heard after the link was to begin (HCI 0x3E).
    case failedToEstablish
    /// The adapter went away.
    case adapterGone
    /// The controller gives another reason.
    case other(HCIStatus)
}

extension LinkLossReason {
    /// The reason by the code of a Disconnection Complete event.
    public init(_ status: HCIStatus) {
        self =
            switch status {
            case .connectionTimeout: .supervisionTimeout
            case .remoteUserTerminated: .remoteTerminated
            case .remoteLowResources: .remoteOutOfResources
            case .remotePowerOff: .remotePoweredOff
            case .localHostTerminated: .localTerminated
            case .responseTimeout: .responseTimeout
            case .instantPassed: .instantPassed
            case .unacceptableParameters: .unacceptableParameters
            case .integrityFailure: .integrityFailure
            case .failedToEstablish: .failedToEstablish
            case _: .other(status)
            }
    }
}

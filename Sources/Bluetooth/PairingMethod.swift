/// How two sides find out that nobody is in between (Core 5.4, Vol 3, Part H, 2.3.5.1, table 2.8).
public enum PairingMethod: Hashable, Sendable {
    /// They do not.
    case justWorks
    /// One side shows six digits, and a person types them on the other.
    case passkeyEntry(typedBy: PairingSide)
    /// Both sides show six digits, and a person compares them. LE Secure Connections only.
    case numericComparison
}

/// The two sides of a pairing.
public enum PairingSide: Hashable, Sendable {
    /// The central: this computer.
    case initiator
    /// The peripheral: the device.
    case responder
}

extension PairingMethod {
    /// The method that the specification picks (table 2.8) where at least one side wants to be
    /// protected from somebody in between.
    public init(
        initiator: PairingCapability, responder: PairingCapability, secureConnections: Bool
    ) {
        switch (initiator, responder) {
        case (.none, _), (_, .none), (.displayOnly, .displayOnly), (.displayOnly, .displayYesNo),
            (.displayYesNo, .displayOnly):
            self = .justWorks
        case (.displayYesNo, .displayYesNo):
            self = secureConnections ? .numericComparison : .justWorks
        case (.displayYesNo, .keyboardDisplay):
            self = secureConnections ? .numericComparison : .passkeyEntry(typedBy: .responder)
        case (.keyboardDisplay, .displayYesNo), (.keyboardDisplay, .keyboardDisplay):
            // Without Secure Connections the initiator of two equals shows, the responder types.
            let typist: PairingSide = responder == .displayYesNo ? .initiator : .responder
            self = secureConnections ? .numericComparison : .passkeyEntry(typedBy: typist)
        case (.keyboardOnly, _), (.keyboardDisplay, .displayOnly):
            self = .passkeyEntry(typedBy: .initiator)
        case (.displayOnly, .keyboardOnly), (.displayOnly, .keyboardDisplay),
            (.displayYesNo, .keyboardOnly), (.keyboardDisplay, .keyboardOnly):
            self = .passkeyEntry(typedBy: .responder)
        }
    }

    /// True where a person or a second channel has checked the peer.
    public var isAuthenticated: Bool { self != .justWorks }
}

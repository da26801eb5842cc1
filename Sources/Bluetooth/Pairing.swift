/// What a device or a computer can show and ask (Core 5.4, Vol 3, Part H, 2.3.2, table 2.5).
public enum PairingCapability: String, Hashable, Sendable, CaseIterable {
    /// Nothing: Just Works is all there is.
    case none = "none"
    /// It shows six digits.
    case displayOnly = "display"
    /// It shows six digits and takes a yes or no.
    case displayYesNo = "display-yes-no"
    /// Digits can be typed.
    case keyboardOnly = "keyboard"
    /// It shows digits and takes them.
    case keyboardDisplay = "keyboard-display"
}

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

/// Six digits, 0…999,999 (Core 5.4, Vol 3, Part H, 2.3.5.3).
public struct Passkey: Hashable, Sendable, CustomStringConvertible {
    /// The number.
    public let value: UInt32

    /// Nil for numbers of more than six digits.
    public init?(_ value: UInt32) {
        guard value <= 999_999 else { return nil }
        self.value = value
    }

    /// Reads exactly six digits.
    public init?(_ text: String) {
        guard text.utf8.count == 6, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let value = UInt32(text)
        else { return nil }
        self.init(value)
    }

    /// Six digits, zeros in front.
    public var description: String {
        let digits = String(value)
        return String(repeating: "0", count: 6 - digits.count) + digits
    }
}

/// What a pairing asks of whoever sits at this computer.
public enum PairingQuestion: Hashable, Sendable {
    /// Type the six digits that the device shows.
    case enterPasskey(PeerID)
    /// The device asks for these six digits; the answer ``PairingAnswer/accept`` means "shown".
    case showPasskey(Passkey, PeerID)
    /// Does the device show the same six digits?
    case compare(Passkey, PeerID)
}

/// What was answered.
public enum PairingAnswer: Hashable, Sendable {
    /// Yes.
    case accept
    /// These digits.
    case passkey(Passkey)
    /// No, or nobody is there: the pairing ends.
    case refuse
}

/// Whoever answers a pairing's questions: a terminal, options, an app's window.
public protocol PairingDelegate: Sendable {
    /// What can be shown and asked here.
    var capability: PairingCapability { get }
    /// Answers one question. Canceled where the pairing ends first.
    func answer(_ question: PairingQuestion) async -> PairingAnswer
}

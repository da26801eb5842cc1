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

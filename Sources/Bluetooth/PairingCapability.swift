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

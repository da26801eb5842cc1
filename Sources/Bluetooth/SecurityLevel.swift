/// How well a link is protected, in the order of strength (Core 5.4, Vol 3, Part C, 10.2).
public enum SecurityLevel: Int, Comparable, Hashable, Sendable, CaseIterable {
    /// Plain text on the air.
    case none = 1
    /// Encrypted; who the peer is was not checked (Just Works).
    case encrypted = 2
    /// Encrypted, and a person or a second channel checked the peer.
    case authenticated = 3
    /// Authenticated LE Secure Connections with a 128-bit key.
    case fips = 4

    /// Weaker levels come first.
    public static func < (left: SecurityLevel, right: SecurityLevel) -> Bool {
        left.rawValue < right.rawValue
    }

    /// The word that the command line uses.
    public var name: String {
        switch self {
        case .none: "none"
        case .encrypted: "encrypted"
        case .authenticated: "authenticated"
        case .fips: "fips"
        }
    }
}

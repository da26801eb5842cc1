public import Bluetooth

/// Which device is meant.
public enum DeviceReference: Hashable, Sendable {
    /// The backend's own spelling.
    case peer(PeerID)
    /// The name that it advertises; it is scanned for.
    case name(String)
    /// The serial that it says in its hello, and the addresses at which it was last. It is asked at
    /// those first, and then looked for among all that offer the service.
    case identity(serial: String, peers: [PeerID])
}

extension DeviceReference {
    /// The addresses that it names.
    var peers: [PeerID] {
        switch self {
        case .peer(let peer): [peer]
        case .name: []
        case .identity(_, let peers): peers
        }
    }
}

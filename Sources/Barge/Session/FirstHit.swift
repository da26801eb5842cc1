import Bluetooth
import Synchronization

/// Keeps the first peer that a scan heard, and ends the scan with it.
final class FirstHit: Sendable {
    private let kept = Mutex<PeerID?>(nil)

    /// The peer, once one was heard.
    var peer: PeerID? { kept.withLock { $0 } }

    /// Keeps the peer if it is the first; false ends the scan.
    func take(_ peer: PeerID) -> Bool {
        kept.withLock { if $0 == nil { $0 = peer } }
        return false
    }
}

/// What both sides settled on.
public struct SessionTerms: Equatable, Sendable {
    /// Raw bytes of each block but the last (BTP-044).
    public let blockBytes: Int
    /// The longest body that the peer takes (BTP-031).
    public let peerBodyBytes: Int
    /// Raw bytes that may be on the way to the peer beyond its ACK (BTP-055).
    public let peerWindowBytes: UInt64
    /// Raw bytes that may be on the way to us.
    public let ownWindowBytes: UInt64
    /// Window for blocks that we send; nil: stored (BTP-045).
    public let sendingWindowBits: UInt8?
    /// Window for blocks that we receive; nil: stored.
    public let receivingWindowBits: UInt8?

    /// Settles, or says that there is no common version (BTP-041).
    public init(own: Hello, peer: Hello) throws(ProtocolFault) {
        let version = min(own.highestVersion, peer.highestVersion)
        guard version >= max(own.lowestVersion, peer.lowestVersion) else {
            throw .unsupportedVersion
        }
        blockBytes = Int(min(own.blockBytes, peer.blockBytes))
        peerBodyBytes = Int(peer.bodyBytes)
        peerWindowBytes = UInt64(widening: peer.receiveWindowBytes)
        ownWindowBytes = UInt64(widening: own.receiveWindowBytes)
        sendingWindowBits = Self.window(own.deflateWindowBits, peer.inflateWindowBits)
        receivingWindowBits = Self.window(peer.deflateWindowBits, own.inflateWindowBits)
    }

    private static func window(_ sender: UInt8?, _ receiver: UInt8?) -> UInt8? {
        guard let sender, let receiver else { return nil }
        return min(sender, receiver)
    }
}

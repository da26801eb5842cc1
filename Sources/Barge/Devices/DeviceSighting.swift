public import Bluetooth

/// A device that was talked to: who it is, and where it was.
public struct DeviceSighting: Hashable, Sendable {
    /// Who it is; empty where its hello does not say.
    public let serial: String
    /// What sort of device it is, in its own words.
    public let model: String
    /// The name that it advertised; nil where none was heard.
    public let name: String?
    /// Where it was.
    public let peer: PeerID
    /// When, in seconds since 1970-01-01T00:00Z.
    public let seconds: UInt64

    /// A device at a place and a time.
    public init(serial: String, model: String, name: String?, peer: PeerID, seconds: UInt64) {
        self.serial = serial
        self.model = model
        self.name = name
        self.peer = peer
        self.seconds = seconds
    }
}

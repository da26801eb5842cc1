/// Which peer: opaque, for the backend to make sense of. Linux puts an address in it, Apple a
/// UUID of its own, the simulator a name.
public struct PeerID: Hashable, Sendable, CustomStringConvertible {
    /// The backend's own spelling.
    public let rawValue: String

    /// A peer by the backend's spelling.
    public init(_ rawValue: String) { self.rawValue = rawValue }

    /// The backend's own spelling.
    public var description: String { rawValue }

    /// Whether it is spelled as a Bluetooth address: six pairs of hexadecimal digits with colons
    /// between them, `C0:FF:EE:00:12:34`.
    public var isBluetoothAddress: Bool {
        let pairs = rawValue.split(separator: ":", omittingEmptySubsequences: false)
        return pairs.count == 6
            && pairs.allSatisfy { $0.utf8.count == 2 && $0.allSatisfy(\.isHexDigit) }
    }
}

import BargeProtocol

/// A transfer that was begun and is not known to have ended: what it takes to begin it again.
public struct UnfinishedTransfer: Equatable, Sendable {
    /// What was done.
    public enum Verb: String, Hashable, Sendable, CaseIterable {
        /// Firmware into the device.
        case flash
        /// A file to the device.
        case push
        /// A file from the device.
        case pull
    }

    /// The object on the device.
    public enum Remote: Hashable, Sendable {
        /// A file of that name.
        case file(String)
        /// The firmware of that image number.
        case image(UInt8)
    }

    /// A setting that the transfer was begun with.
    public struct Option: Hashable, Sendable {
        /// Its name: `security`, `psm`.
        public var key: String
        /// Its value.
        public var value: String

        /// A setting.
        public init(key: String, value: String) {
            self.key = key
            self.value = value
        }
    }

    /// What was done.
    public var verb: Verb
    /// The device as the user named it.
    public var device: String
    /// Its serial, once known.
    public var deviceSerial: String?
    /// The file on this computer, from the root on.
    public var localPath: String
    /// The object on the device.
    public var remote: Remote
    /// Settings, in the order in which they were given.
    public var options: [Option]
    /// The SHA-256 of all bytes, if known.
    public var digest: Digest?
    /// How many bytes there are, if known.
    public var length: UInt64?
    /// When it was begun, in seconds since 1970-01-01T00:00Z.
    public var startedAtSeconds: UInt64
    /// How many bytes were safe on the other side when last heard of. A hint for people: where to
    /// go on, the device (or the part) itself tells.
    public var durableBytes: UInt64

    /// An unfinished transfer.
    public init(
        verb: Verb, device: String, deviceSerial: String? = nil, localPath: String,
        remote: Remote, options: [Option] = [], digest: Digest? = nil, length: UInt64? = nil,
        startedAtSeconds: UInt64, durableBytes: UInt64 = 0
    ) {
        self.verb = verb
        self.device = device
        self.deviceSerial = deviceSerial
        self.localPath = localPath
        self.remote = remote
        self.options = options
        self.digest = digest
        self.length = length
        self.startedAtSeconds = startedAtSeconds
        self.durableBytes = durableBytes
    }

    /// The most settings that an entry holds.
    public static let mostOptions = 64
}

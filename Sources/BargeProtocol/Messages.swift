/// An object that can be written, read or removed.
public struct ObjectReference: Equatable, Sendable {
    /// What it is.
    public let kind: Kind
    /// Which image; or the pattern of a source.
    public let number: UInt8
    /// A file's name, else empty.
    public let name: Name

    /// The kinds of objects.
    public enum Kind: UInt8, Sendable {
        /// A firmware image.
        case firmware = 1
        /// A file.
        case file = 2
        /// Takes everything, keeps nothing.
        case sink = 3
        /// Yields as much as is asked for.
        case source = 4
    }

    /// An object by kind, number and name.
    public init(kind: Kind, number: UInt8 = 0, name: Name = Name()) {
        self.kind = kind
        self.number = number
        self.name = name
    }

    /// The application's firmware.
    public static let firmware = ObjectReference(kind: .firmware)
}

/// WRITE (BTP-060).
public struct WriteRequest: Equatable, Sendable {
    /// Where it goes.
    public let object: ObjectReference
    /// How many bytes it has.
    public let length: UInt64
    /// Its SHA-256.
    public let digest: Digest
    /// True to discard what the device holds of it.
    public let restart: Bool

    /// A request to write an object of this length and digest.
    public init(object: ObjectReference, length: UInt64, digest: Digest, restart: Bool) {
        self.object = object
        self.length = length
        self.digest = digest
        self.restart = restart
    }
}

/// WRITE_READY (BTP-060, BTP-062).
public struct WriteReady: Equatable, Sendable {
    /// True where the object is there already, verified.
    public let isComplete: Bool
    /// What the device holds durably.
    public let offset: UInt64
    /// The CRC-32 of that.
    public let prefixCheck: UInt32

    /// The device's word on what it holds.
    public init(isComplete: Bool, offset: UInt64, prefixCheck: UInt32) {
        self.isComplete = isComplete
        self.offset = offset
        self.prefixCheck = prefixCheck
    }
}

/// COMMITTED (BTP-065).
public struct Committed: Equatable, Sendable {
    /// The digest of what was read back.
    public let digest: Digest
    /// From the first block's arrival to the last one's, by the receiver's clock.
    public let microseconds: UInt64

    /// The device's word that the object is what was announced.
    public init(digest: Digest, microseconds: UInt64) {
        self.digest = digest
        self.microseconds = microseconds
    }
}

/// READ (BTP-070).
public struct ReadRequest: Equatable, Sendable {
    /// What to read.
    public let object: ObjectReference
    /// From where.
    public let offset: UInt64
    /// How much at most; ``ProtocolLimits/wholeLength`` for all.
    public let length: UInt64

    /// A request to read a range of an object.
    public init(object: ObjectReference, offset: UInt64, length: UInt64) {
        self.object = object
        self.offset = offset
        self.length = length
    }
}

/// READ_READY (BTP-070).
public struct ReadReady: Equatable, Sendable {
    /// The object's size now.
    public let size: UInt64
    /// Where the blocks begin.
    public let offset: UInt64
    /// The CRC-32 of what lies before that.
    public let prefixCheck: UInt32

    /// The device's word on what there is to read.
    public init(size: UInt64, offset: UInt64, prefixCheck: UInt32) {
        self.size = size
        self.offset = offset
        self.prefixCheck = prefixCheck
    }
}

/// READ_END (BTP-073).
public struct ReadEnd: Equatable, Sendable {
    /// Where the blocks ended.
    public let end: UInt64
    /// The digest of all before that.
    public let digest: Digest

    /// The device's word on what it has sent.
    public init(end: UInt64, digest: Digest) {
        self.end = end
        self.digest = digest
    }
}

/// BUSY (BTP-047).
public struct BusyReport: Equatable, Sendable {
    /// What the device does.
    public let activity: Activity
    /// How much of it is done.
    public let done: UInt64
    /// Out of how much; 0 where it is not known.
    public let total: UInt64

    /// What a device can be busy with.
    public enum Activity: UInt8, Sendable {
        /// Erasing flash.
        case erasing = 1
        /// Reading back and digesting.
        case verifying = 2
        /// Reading what it holds.
        case reading = 3
    }

    /// The device's word that it is at work.
    public init(activity: Activity, done: UInt64, total: UInt64) {
        self.activity = activity
        self.done = done
        self.total = total
    }
}

/// ENTRY (BTP-081).
public struct FileEntry: Equatable, Sendable {
    /// Its size in bytes.
    public let size: UInt64
    /// Seconds since 1970, 0 if not known.
    public let modifiedSeconds: UInt64
    /// Its name.
    public let name: Name

    /// One file of a list.
    public init(size: UInt64, modifiedSeconds: UInt64, name: Name) {
        self.size = size
        self.modifiedSeconds = modifiedSeconds
        self.name = name
    }
}

/// STATED (BTP-082).
public struct FileStatus: Equatable, Sendable {
    /// Its size in bytes.
    public let size: UInt64
    /// Seconds since 1970, 0 if not known.
    public let modifiedSeconds: UInt64
    /// Its SHA-256.
    public let digest: Digest

    /// What is known of one file.
    public init(size: UInt64, modifiedSeconds: UInt64, digest: Digest) {
        self.size = size
        self.modifiedSeconds = modifiedSeconds
        self.digest = digest
    }
}

/// One slot of IMAGE_STATES (BTP-090).
public struct ImageSlot: Equatable, Sendable {
    /// Which slot.
    public let index: UInt8
    /// What holds for it.
    public let flags: Flags
    /// How many bytes its image has; 0 where there is none.
    public let length: UInt64
    /// How much of it is durable.
    public let durable: UInt64
    /// Its image's SHA-256.
    public let digest: Digest

    /// What can hold for a slot.
    public struct Flags: Equatable, Sendable {
        /// The bits on the wire.
        public let rawValue: UInt8
        /// Flags from the bits on the wire.
        public init(rawValue: UInt8) { self.rawValue = rawValue }
        /// Its image runs.
        public static let running = Flags(rawValue: 1)
        /// Its image stays after a reset.
        public static let confirmed = Flags(rawValue: 2)
        /// Its image is started once at the next reset.
        public static let pendingTest = Flags(rawValue: 4)
        /// Its image was read back and agreed with its digest.
        public static let verified = Flags(rawValue: 8)
        /// It is being written.
        public static let partial = Flags(rawValue: 16)
    }

    /// A slot's state.
    public init(index: UInt8, flags: Flags, length: UInt64, durable: UInt64, digest: Digest) {
        self.index = index
        self.flags = flags
        self.length = length
        self.durable = durable
        self.digest = digest
    }
}

/// IMAGE_STATES: up to four slots, held without allocation.
public struct ImageSlots: Equatable, Sendable {
    private var slots: InlineArray<4, ImageSlot>
    /// How many there are.
    public private(set) var count = 0

    /// None yet.
    public init() {
        let empty = ImageSlot(
            index: 0, flags: .init(rawValue: 0), length: 0, durable: 0, digest: Digest())
        slots = InlineArray(repeating: empty)
    }

    /// Adds one; beyond four it is a programming error.
    public mutating func append(_ slot: ImageSlot) {
        precondition(count < ProtocolLimits.slotCount, "at most four slots")
        slots[count] = slot
        count += 1
    }

    /// Slot number `position` in the list.
    public subscript(position: Int) -> ImageSlot {
        precondition(position < count, "beyond the list")
        return slots[position]
    }

    /// Equal where all slots are.
    public static func == (left: ImageSlots, right: ImageSlots) -> Bool {
        guard left.count == right.count else { return false }
        for position in 0..<left.count where left.slots[position] != right.slots[position] {
            return false
        }
        return true
    }
}

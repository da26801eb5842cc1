/// Why the device's storage refused or failed: a kind that a protocol can map to a number, and a
/// sentence.
public struct StorageError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What sort of error it is. The protocol's error numbers follow from this.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// The object is larger than the room for it. Give up, or make room.
        case noSpace
        /// The operation does not fit what the device is doing. Look at its state first.
        case wrongState
        /// The device forbids it, now and later, as long as its state stays.
        case notPermitted
        /// An offset, a length or an alignment cannot be. Ask for the durable offset and go on from
        /// there.
        case invalidArgument
        /// There is no such object.
        case notFound
        /// The flash or the file system failed. Try again.
        case storageFailure
        /// What is stored is not what was stored. Start over.
        case corrupt
        /// The bytes that arrived do not have the announced digest. Start over from a good copy.
        case digestMismatch
        /// The device has lost its power.
        case powerLost
    }

    /// What sort of error it is.
    public let kind: Kind
    /// What happened.
    public let what: String
    /// Why it happened.
    public let why: String
    /// What to do next.
    public let advice: String

    /// An error of a kind, with its three parts, each a clause that can begin a sentence.
    public init(_ kind: Kind, what: String, why: String, advice: String) {
        self.kind = kind
        self.what = what
        self.why = why
        self.advice = advice
    }

    /// The three parts in a row.
    public var description: String { "\(what): \(why). \(advice)." }
}

extension StorageError {
    /// The flash's own error, in the words of the storage.
    init(_ error: FlashError, while action: String) {
        switch error {
        case .powerLost:
            self.init(
                .powerLost, what: "Stopped while \(action)", why: "the device lost its power",
                advice: "Switch it on again and resume")
        case .failed, .medium:
            self.init(
                .storageFailure, what: "Failed while \(action)", why: "\(error)",
                advice: "Try again; what was durable before still is")
        case .outOfRange, .unaligned, .notErased:
            // The storage above the flash keeps these rules itself, so breaking one is a bug of
            // ours.
            preconditionFailure("\(error)")
        }
    }
}

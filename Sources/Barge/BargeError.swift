/// Why something did not work: what happened, why, and what to do next.
public struct BargeError: Error, Hashable, Sendable {
    /// What sort of failure it is; scripts tell them apart by it.
    public enum Kind: Hashable, Sendable, CaseIterable {
        /// No such device was found.
        case deviceNotFound
        /// The device has no object of that name.
        case remoteFileNotFound
        /// There is no Bluetooth to use.
        case bluetoothUnavailable
        /// The link does not reach the security that was asked for.
        case security
        /// The device said no.
        case refused
        /// What is on the device, or in the file, is not what it should be.
        case verification
        /// The link is lost and did not come back; the transfer can be resumed.
        case linkLost
        /// No such local file.
        case localFileMissing
        /// There is something at a local path, or behind a name, that cannot be meant: a folder, a
        /// pipe, another file, another device's alias.
        case localFileUnusable
        /// The local disk or file system failed, or does not allow it.
        case localFile
        /// The reader of the standard output went away: nobody is left to be told.
        case outputClosed
        /// It was called off.
        case canceled
    }

    /// What sort of failure it is.
    public let kind: Kind
    /// A stable name in words joined by hyphens, finer than the kind.
    public let identifier: String
    /// What did not work.
    public let what: String
    /// Why.
    public let why: String
    /// What to do next, for a person.
    public let advice: String
    /// What to do next, for a program.
    public let recovery: Recovery

    /// What a program can do about a failure.
    public enum Recovery: Hashable, Sendable {
        /// Nothing: the same again will fail again.
        case giveUp
        /// The same again, later.
        case retry
        /// Connect again and go on at the device's offset.
        case resume
        /// Start over at offset 0.
        case restart
    }

    /// A failure in full.
    public init(
        _ kind: Kind, _ identifier: String, what: String, why: String, advice: String,
        recovery: Recovery = .giveUp
    ) {
        self.recovery = recovery
        self.kind = kind
        self.identifier = identifier
        self.what = what
        self.why = why
        self.advice = advice
    }
}

extension BargeError: CustomStringConvertible {
    /// The three parts in a row.
    public var description: String { "\(what): \(why). \(advice)." }
}

extension BargeError {
    /// It was called off.
    static let canceled = BargeError(
        .canceled, "canceled", what: "Stopped", why: "it was called off",
        advice: "Run the same command again to go on where it was")
}

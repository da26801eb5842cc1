extension DownloadTarget {
    /// What was there of an earlier try.
    public enum Beginning: Hashable, Sendable {
        /// Nothing.
        case fresh
        /// A part of the same file of the same device. Whether the device still has these bytes is
        /// for ``DownloadTarget/prefixCheck(upTo:)`` to tell.
        case resumed(heldBytes: UInt64)
        /// A part that cannot be trusted. It lies at `olderPart` now, and this try starts at 0.
        case startedOver(olderPart: String, because: Doubt)
        /// The place is a stream: there is never anything.
        case stream

        /// What the user should be told, if anything.
        public var warning: String? {
            switch self {
            case .fresh, .resumed, .stream: nil
            case .startedOver(let path, let doubt):
                "an older part was not continued: \(doubt.sentence); it was moved to \(path), "
                    + "which you may remove"
            }
        }
    }

    /// Why a part was not continued.
    public enum Doubt: Hashable, Sendable {
        /// Nothing says what it is a part of.
        case noJournal
        /// Its journal is damaged.
        case corruptJournal
        /// It came from another device.
        case otherDevice(serial: String)
        /// It is of another file.
        case otherFile(name: String)
        /// The same bytes have a second name, which would change with it.
        case hasSecondName

        /// The reason in words.
        public var sentence: String {
            switch self {
            case .noJournal: "its journal is missing"
            case .corruptJournal: "its journal is damaged"
            case .otherDevice(let serial): "it came from the device with the serial \(serial)"
            case .otherFile(let name): "it is a part of \(name)"
            case .hasSecondName: "the file has a second name"
            }
        }
    }
}

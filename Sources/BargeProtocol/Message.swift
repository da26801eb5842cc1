/// One frame's content. Blocks and ECHO carry their bytes beside it, in the caller's memory.
public enum Message: Equatable, Sendable {
    /// Both sides' first frame.
    case hello(Hello)
    /// Something went wrong.
    case error(ErrorMessage)
    /// The sender sends nothing more.
    case fin
    /// The device is at work.
    case busy(BusyReport)
    /// Send the same bytes back; how many they are.
    case echo(byteCount: Int)
    /// The same bytes; how many they are.
    case echoed(byteCount: Int)
    /// The host wants to write.
    case write(WriteRequest)
    /// From where the device takes it.
    case writeReady(WriteReady)
    /// All is sent.
    case commit
    /// It is verified.
    case committed(Committed)
    /// The host wants to read.
    case read(ReadRequest)
    /// What there is to read.
    case readReady(ReadReady)
    /// All was sent.
    case readEnd(ReadEnd)
    /// The receiver of blocks has all below this offset.
    case acknowledge(offset: UInt64)
    /// The host gives the request up.
    case cancel
    /// It is given up.
    case canceled
    /// A block; its bytes are the rest of the body.
    case block(BlockHeader)
    /// The host wants the names after this one.
    case list(after: Name)
    /// One file.
    case entry(FileEntry)
    /// The end of the names, and whether there are more.
    case listed(more: Bool)
    /// The host wants to know one file.
    case stat(ObjectReference)
    /// One file.
    case stated(FileStatus)
    /// The host wants a file gone.
    case remove(ObjectReference)
    /// It is gone.
    case removed
    /// The host wants to know the slots.
    case images
    /// The slots.
    case imageStates(ImageSlots)
    /// Start this image once at the next reset.
    case test(Digest)
    /// Keep this image, which runs.
    case confirm(Digest)
    /// Reset.
    case reset
    /// About to reset; back in so many milliseconds.
    case resetting(milliseconds: UInt32)

    /// The frame's type.
    public var type: FrameType {
        switch self {
        case .hello: .hello
        case .error: .error
        case .fin: .fin
        case .busy: .busy
        case .echo: .echo
        case .echoed: .echoed
        case .write: .write
        case .writeReady: .writeReady
        case .commit: .commit
        case .committed: .committed
        case .read: .read
        case .readReady: .readReady
        case .readEnd: .readEnd
        case .acknowledge: .acknowledge
        case .cancel: .cancel
        case .canceled: .canceled
        case .block(let header): header.coding == .stored ? .storedBlock : .deflatedBlock
        case .list: .list
        case .entry: .entry
        case .listed: .listed
        case .stat: .stat
        case .stated: .stated
        case .remove: .remove
        case .removed: .removed
        case .images: .images
        case .imageStates: .imageStates
        case .test: .test
        case .confirm: .confirm
        case .reset: .reset
        case .resetting: .resetting
        }
    }
}

/// What the driver of a device's half has to do.
public enum DeviceStep: Equatable, Sendable {
    /// Nothing.
    case none
    /// Open the object for writing; then `writeOpened`, or `refuse`.
    case openWrite(WriteRequest)
    /// Inflate the block if it is deflated, make it durable; then `blockStored`, or `refuse`.
    case store(BlockHeader)
    /// Read the object back and digest it; then `committed`, or `refuse`.
    case commit
    /// Open the object for reading; then `readOpened`, or `refuse`.
    case openRead(ReadRequest)
    /// Answer this request (LIST, STAT, REMOVE, IMAGES, TEST, CONFIRM, RESET, ECHO); the last
    /// frame of it with `answered`, or `refuse`.
    case answer(Message)
    /// The request is over with this error; send it and let go of the object.
    case refuse(tag: UInt8, ErrorMessage)
    /// The host gave the request up: let go of the object, and send CANCELED.
    case cancel(tag: UInt8)
    /// The host ended the request, or the session if ``DeviceSession/isOver``: let go of the
    /// object, and send nothing.
    case abandon
    /// Let go of any open object, send what is due, then FIN; the host closes.
    case finish
    /// Let go of any open object, send this error with tag 0, and take nothing more.
    case fail(ErrorMessage)
}

/// What an open read has to send next.
public enum DeviceReadStep: Equatable, Sendable {
    /// Nothing now.
    case none
    /// A block of so many raw bytes from this offset.
    case send(offset: UInt64, rawBytes: Int)
    /// The digest of all below `end`; then `readEnded`.
    case end(UInt64)
}

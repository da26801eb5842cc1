/// What the driver of a host's half has to know or do.
public enum HostStep: Equatable, Sendable {
    /// Nothing.
    case none
    /// The device said HELLO; requests may begin.
    case greeted(Hello)
    /// A frame of the open request's answer; the request is over if ``HostSession/isIdle``.
    case answered(Message)
    /// The device works; wait on.
    case busy(BusyReport)
    /// Everything below this offset is durable on the device.
    case durable(UInt64)
    /// Inflate the block if it is deflated and write it; then `stored(upTo:)`.
    case store(BlockHeader)
    /// The request failed, or with a wider scope the session (``HostSession/isOver``).
    case failed(ErrorMessage)
    /// FIN was answered: close the pipe.
    case finished
    /// The device broke the protocol: send the fault's error, close the pipe.
    case violated(ProtocolFault)
}

import BargeProtocol

extension Hello {
    /// What this host says of itself: it takes whatever a device can send.
    static var host: Hello {
        var hello = Hello()
        hello.blockBytes = ProtocolLimits.blockBytes.upperBound
        hello.bodyBytes = ProtocolLimits.bodyBytes.upperBound
        hello.inflateWindowBits = ProtocolLimits.windowBits.upperBound
        hello.deflateWindowBits = ProtocolLimits.windowBits.upperBound
        hello.receiveWindowBytes = 256 * 1024
        hello.software = Name("barge 0.1")
        return hello
    }
}

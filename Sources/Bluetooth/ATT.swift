/// The Attribute Protocol's bounds (Core 5.4, Vol 3, Part F, 3.2.8 and 3.2.9; Part G, 5.2.1).
public enum ATT {
    /// What every LE link starts with.
    public static let defaultMTU = 23
    /// The longest MTU that is of use: a value of 512 and its header.
    public static let maximumMTU = 517
    /// The longest value of any attribute.
    public static let maximumValueBytes = 512

    /// The longest value that one write command or notification carries at this MTU.
    public static func maximumValueBytes(mtu: Int) -> Int {
        min(mtu - LinkCeiling.attHeaderBytes, maximumValueBytes)
    }

    /// The value length that moves the most bytes per second at this MTU.
    ///
    /// A value whose PDU ends in a nearly empty packet is slower than a shorter one: 517 loses a
    /// tenth to 498 with 251-byte packets. So the two candidates are the longest value, and the
    /// longest one that fills its last packet.
    /// - Parameter timing: the link's; where it is not known, 2M and 251 bytes are assumed.
    public static func efficientValueBytes(mtu: Int, timing: LinkTiming?) -> Int {
        let timing = timing ?? LinkTiming(phy: .le2M, dataLengthBytes: 251, isEncrypted: true)
        let longest = maximumValueBytes(mtu: mtu)
        let headers = LinkCeiling.attHeaderBytes + LinkCeiling.basicHeaderBytes
        let packets = (longest + headers) / timing.dataLengthBytes
        let filled = packets * timing.dataLengthBytes - headers
        guard filled > 0 else { return longest }
        let ceiling = LinkCeiling(timing: timing, connectionIntervalMicroseconds: nil)
        return ceiling.gattBytesPerSecond(valueBytes: filled)
            > ceiling.gattBytesPerSecond(valueBytes: longest) ? filled : longest
    }
}

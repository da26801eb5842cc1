import Bluetooth

/// A command on the LE signalling channel, CID 5 (Core 5.4, Vol 3, Part A, 4).
enum Signal {
    case channelRequest(ChannelRequest)
    case channelResponse(ChannelRequest, Result<Channel, ChannelRefusalError>)
    case credits(ChannelEnd)
    case disconnectionRequest(Channel)
    case disconnectionResponse

    /// Length with the basic header of 4 bytes and the command header of 4 (4.22, 4.23, 4.24, 4.6).
    var pduBytes: Int {
        switch self {
        case .channelRequest, .channelResponse: 18
        case .credits: 12
        case .disconnectionRequest, .disconnectionResponse: 12
        }
    }
}

/// What the central asks for when it opens a channel.
struct ChannelRequest {
    let psm: PSM
    let receiveMTU: Int
    let operation: UInt64
}

/// A refusal in the place of an error.
struct ChannelRefusalError: Error {
    let refusal: ChannelRefusal
}

import Bluetooth

/// What goes wrong with a link as such.
extension BargeError {
    private static let goOn = "Run the same command again: it goes on where it was"

    init(_ reason: LinkLossReason, while action: String) {
        self.init(
            .linkLost, "link-lost", what: "The link was lost while \(action)", why: reason.text,
            advice: Self.goOn, recovery: .resume)
    }

    init(_ failure: ConnectionFailure, while action: String) {
        let why =
            switch failure {
            case .status(let status): "the link to the device did not come about: \(status)"
            case .system(let text): "the link to the device did not come about: \(text)"
            }
        self.init(
            .linkLost, "connection-failed", what: "Failed while \(action)", why: why,
            advice: "Bring the device closer and run the same command again: it goes on where it "
                + "was", recovery: .resume)
    }

    static func notConnected(while action: String) -> BargeError {
        BargeError(
            .linkLost, "not-connected", what: "Failed while \(action)",
            why: "there is no link to the device", advice: goOn, recovery: .resume)
    }

    static func timedOut(_ step: String, while action: String) -> BargeError {
        BargeError(
            .linkLost, "timed-out", what: "No answer while \(action)",
            why: "the device did not answer in time (\(step))",
            advice: "Bring the device closer, or give it more --timeout, and run the same "
                + "command again: it goes on where it was", recovery: .resume)
    }

    static func channelClosed(while action: String) -> BargeError {
        BargeError(
            .linkLost, "channel-closed", what: "Stopped while \(action)",
            why: "the device closed the channel", advice: goOn, recovery: .resume)
    }

    static func connectionLimit(while action: String) -> BargeError {
        BargeError(
            .bluetoothUnavailable, "connection-limit", what: "No link is free while \(action)",
            why: "the adapter or the device holds as many links as it can",
            advice: "Wait until another transfer is done, or end a link", recovery: .retry)
    }

    init(_ limit: NotificationLimit, while action: String) {
        let why =
            switch limit {
            case .near: "the system will soon drop notifications to a program in the background"
            case .exceeded: "the system drops notifications to a program in the background"
            }
        self.init(
            .linkLost, "notification-limit", what: "Stopped while \(action)", why: why,
            advice: "Bring the program to the front and run the same command again: it goes on "
                + "where it was", recovery: .resume)
    }
}

extension LinkLossReason {
    /// The reason as the end of a sentence.
    fileprivate var text: String {
        switch self {
        case .supervisionTimeout: "the device was not heard any more"
        case .remoteTerminated: "the device ended the link"
        case .remoteOutOfResources: "the device ended the link: it is short of resources"
        case .remotePoweredOff: "the device ended the link: it is being switched off"
        case .localTerminated: "this side ended the link"
        case .responseTimeout: "the device's radio did not answer"
        case .instantPassed: "a change of the link came too late"
        case .unacceptableParameters: "one side does not take the link's parameters"
        case .integrityFailure: "a packet did not pass the check of its encryption"
        case .failedToEstablish: "the device was not heard after the link was to begin"
        case .adapterGone: "the Bluetooth adapter went away"
        case .other(let status): "the adapter says: \(status)"
        }
    }
}

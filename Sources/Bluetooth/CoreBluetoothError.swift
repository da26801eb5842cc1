/// The codes of Apple's `CBError`, as numbers, so that what they mean here is settled on a machine
/// without CoreBluetooth too (CBError.h of the macOS 26 SDK). `CBATTError` has the numbers of
/// ``ATTError``.
public enum CoreBluetoothError: Int, CaseIterable, Sendable {
    /// Something failed, and no code says what.
    case unknown = 0
    /// A call's parameters were refused.
    case invalidParameters = 1
    /// An attribute's handle is not valid.
    case invalidHandle = 2
    /// There is no link.
    case notConnected = 3
    /// Memory is full.
    case outOfSpace = 4
    /// The program called it off.
    case operationCancelled = 5
    /// The link, or the attempt at one, timed out.
    case connectionTimeout = 6
    /// The peer ended the link.
    case peripheralDisconnected = 7
    /// The system keeps this UUID to itself.
    case uuidNotAllowed = 8
    /// The program advertises already.
    case alreadyAdvertising = 9
    /// No link came about.
    case connectionFailed = 10
    /// There are as many links as there can be.
    case connectionLimitReached = 11
    /// The system does not know the peer (spelled `unkownDevice` at first).
    case unknownDevice = 12
    /// The operation is not supported.
    case operationNotSupported = 13
    /// The peer has lost its keys.
    case peerRemovedPairingInformation = 14
    /// Encryption took too long.
    case encryptionTimedOut = 15
    /// As many devices are paired as there can be.
    case tooManyLEPairedDevices = 16
    /// Notifications to a program in the background are being dropped.
    case leGattExceededBackgroundNotificationLimit = 17
    /// They soon will be.
    case leGattNearBackgroundNotificationLimit = 18
}

extension BluetoothError {
    /// What Apple's code means, for an operation with `peer`.
    public init(_ error: CoreBluetoothError, peer: PeerID) {
        self =
            switch error {
            case .unknown: .stackFailed(.unspecified)
            case .invalidParameters: .stackFailed(.invalidParameters)
            case .invalidHandle: .attribute(.invalidHandle)
            case .notConnected: .notConnected
            case .outOfSpace: .outOfSpace
            case .operationCancelled: .canceled
            case .connectionTimeout: .linkLost(.supervisionTimeout)
            case .peripheralDisconnected: .linkLost(.remoteTerminated)
            case .uuidNotAllowed: .stackFailed(.uuidNotAllowed)
            case .alreadyAdvertising: .stackFailed(.alreadyAdvertising)
            case .connectionFailed: .connectionFailed(.status(.failedToEstablish))
            case .connectionLimitReached: .connectionLimit
            case .unknownDevice: .peerNotFound(peer)
            case .operationNotSupported: .notSupported("the operation")
            case .peerRemovedPairingInformation: .pairingRemoved(by: .peer)
            case .encryptionTimedOut: .encryptionTimedOut
            case .tooManyLEPairedDevices: .tooManyPairings
            case .leGattExceededBackgroundNotificationLimit: .notificationLimit(.exceeded)
            case .leGattNearBackgroundNotificationLimit: .notificationLimit(.near)
            }
    }
}

extension BluetoothError {
    /// Why a link that stood is gone, by the reason of its Disconnection Complete event.
    public init(linkEnded status: HCIStatus) {
        self =
            switch status {
            case .authenticationFailure, .unitKeyNotSupported, .insufficientSecurity:
                .authenticationRefused(.link(status))
            case .keyMissing: .pairingRemoved(by: .peer)
            case .unsupportedRemoteFeature: .notSupported("what the link was asked for")
            case _: .linkLost(LinkLossReason(status))
            }
    }

    /// Why no link came about, by the status of its Connection Complete event.
    public init(connectingEnded status: HCIStatus) {
        self =
            switch status {
            // Only our own cancellation ends an attempt so (Vol 4, Part E, 7.8.13).
            case .unknownConnection: .canceled
            case .connectionLimit, .limitedResources, .memoryExceeded: .connectionLimit
            case .unsupportedFeature, .unsupportedRemoteFeature:
                .notSupported("a link of this kind")
            case .authenticationFailure, .keyMissing, .unitKeyNotSupported,
                .insufficientSecurity:
                BluetoothError(linkEnded: status)
            case _: .connectionFailed(.status(status))
            }
    }

    /// Why a link was not encrypted, by the status of its Encryption Change event.
    public init(encryptingEnded status: HCIStatus) {
        self =
            switch status {
            case .connectionTimeout, .responseTimeout: .encryptionTimedOut
            case .unsupportedFeature, .unsupportedRemoteFeature: .notSupported("encryption")
            case _: BluetoothError(linkEnded: status)
            }
    }
}

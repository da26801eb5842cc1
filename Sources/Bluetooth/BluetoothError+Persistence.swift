extension BluetoothError {
    /// Whether the same attempt, made again, may end better.
    public enum Persistence: Hashable, Sendable, CaseIterable {
        /// Trying again may help.
        case passing
        /// The same again fails, until somebody acts.
        case terminal
        /// Waiting for another link to end helps.
        case queued
        /// Nobody wants it any more.
        case canceled
    }

    /// Whether the same attempt, made again, may end better.
    public var persistence: Persistence {
        switch self {
        case .canceled: .canceled
        case .connectionLimit: .queued
        case .peerNotFound, .connectionFailed, .notConnected, .timedOut, .linkLost,
            .encryptionTimedOut, .channelClosed, .notificationLimit:
            .passing
        case .unavailable, .poweredOff, .notSupported, .outOfSpace, .securityNotReached,
            .pairingRemoved, .authenticationRefused, .keyTooShort, .tooManyPairings,
            .noSuchService, .noSuchAttribute, .advertisementTooLong:
            .terminal
        case .stackFailed(let failure): failure.persistence
        case .attribute(let error): error.persistence
        case .channelRefused(let refusal): refusal.persistence
        }
    }
}

extension StackFailure {
    fileprivate var persistence: BluetoothError.Persistence {
        switch self {
        case .unspecified, .system: .passing
        case .invalidParameters, .uuidNotAllowed, .alreadyAdvertising: .terminal
        }
    }
}

extension ATTError {
    fileprivate var persistence: BluetoothError.Persistence {
        switch meaning {
        case .busy, .outOfSync: .passing
        case .security, .notPermitted, .notFound, .request, .value, .unlikely, .application,
            .commonProfile, .reserved:
            .terminal
        }
    }
}

extension ChannelRefusal {
    fileprivate var persistence: BluetoothError.Persistence {
        switch self {
        case .noResources: .passing
        case .psmNotSupported, .insufficientAuthentication, .insufficientAuthorization,
            .keyTooShort, .insufficientEncryption, .unacceptableParameters, .notSupported:
            .terminal
        }
    }
}

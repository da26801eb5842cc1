import Bluetooth
import Testing

@Suite("What Bluetooth's errors call for")
struct BluetoothErrorTests {
    private static let uuid = BluetoothUUID(0x180A)

    /// One of each case at least.
    static let samples: [BluetoothError] = [
        .unavailable("x"), .poweredOff, .stackFailed(.unspecified), .notSupported("x"),
        .connectionLimit, .outOfSpace, .peerNotFound(PeerID("x")),
        .connectionFailed(.system("x")), .notConnected, .timedOut("x"),
        .linkLost(.supervisionTimeout), .securityNotReached(wanted: .fips, reason: "x"),
        .pairingRemoved(by: .local), .pairingRemoved(by: .peer),
        .authenticationRefused(.declined), .keyTooShort(wantedBits: 128, reachedBits: 56),
        .encryptionTimedOut, .tooManyPairings, .attribute(.readNotPermitted),
        .noSuchService(uuid), .noSuchAttribute(uuid), .notificationLimit(.near),
        .channelRefused(.psmNotSupported), .channelClosed,
        .advertisementTooLong(bytes: 40, limit: 31), .canceled,
    ]

    /// Written out, so that a new case does not compile without an answer.
    private func expected(_ error: BluetoothError) -> BluetoothError.Persistence {
        switch error {
        case .unavailable: .terminal
        case .poweredOff: .terminal
        case .stackFailed: .passing
        case .notSupported: .terminal
        case .connectionLimit: .queued
        case .outOfSpace: .terminal
        case .peerNotFound: .passing
        case .connectionFailed: .passing
        case .notConnected: .passing
        case .timedOut: .passing
        case .linkLost: .passing
        case .securityNotReached: .terminal
        case .pairingRemoved: .terminal
        case .authenticationRefused: .terminal
        case .keyTooShort: .terminal
        case .encryptionTimedOut: .passing
        case .tooManyPairings: .terminal
        case .attribute: .terminal
        case .noSuchService: .terminal
        case .noSuchAttribute: .terminal
        case .notificationLimit: .passing
        case .channelRefused: .terminal
        case .channelClosed: .passing
        case .advertisementTooLong: .terminal
        case .canceled: .canceled
        }
    }

    @Test("Every error says whether the same again may help", arguments: samples)
    func persistence(error: BluetoothError) {
        #expect(error.persistence == expected(error))
    }

    @Test("Every case is among the samples")
    func samplesAreComplete() {
        let cases = Set(Self.samples.map { "\($0)".prefix { $0 != "(" } })
        #expect(cases.count == 25)
    }

    @Test("What a peer or a stack is short of for now passes")
    func passing() {
        for error: BluetoothError in [
            .attribute(.prepareQueueFull), .attribute(.insufficientResources),
            .attribute(.databaseOutOfSync), .attribute(.procedureAlreadyInProgress),
            .channelRefused(.noResources), .stackFailed(.system("x")),
        ] {
            #expect(error.persistence == .passing)
        }
        for failure: StackFailure in [
            .invalidParameters, .uuidNotAllowed, .alreadyAdvertising,
        ] {
            #expect(BluetoothError.stackFailed(failure).persistence == .terminal)
        }
    }

    /// CBError.Code, in the order of its raw values.
    static let coreBluetooth: [(Int, CoreBluetoothError, BluetoothError)] = [
        (0, .unknown, .stackFailed(.unspecified)),
        (1, .invalidParameters, .stackFailed(.invalidParameters)),
        (2, .invalidHandle, .attribute(.invalidHandle)),
        (3, .notConnected, .notConnected),
        (4, .outOfSpace, .outOfSpace),
        (5, .operationCancelled, .canceled),
        (6, .connectionTimeout, .linkLost(.supervisionTimeout)),
        (7, .peripheralDisconnected, .linkLost(.remoteTerminated)),
        (8, .uuidNotAllowed, .stackFailed(.uuidNotAllowed)),
        (9, .alreadyAdvertising, .stackFailed(.alreadyAdvertising)),
        (10, .connectionFailed, .connectionFailed(.status(.failedToEstablish))),
        (11, .connectionLimitReached, .connectionLimit),
        (12, .unknownDevice, .peerNotFound(PeerID("x"))),
        (13, .operationNotSupported, .notSupported("the operation")),
        (14, .peerRemovedPairingInformation, .pairingRemoved(by: .peer)),
        (15, .encryptionTimedOut, .encryptionTimedOut),
        (16, .tooManyLEPairedDevices, .tooManyPairings),
        (17, .leGattExceededBackgroundNotificationLimit, .notificationLimit(.exceeded)),
        (18, .leGattNearBackgroundNotificationLimit, .notificationLimit(.near)),
    ]

    @Test("Every code of Apple's has its meaning here", arguments: coreBluetooth)
    func meanings(number: Int, code: CoreBluetoothError, error: BluetoothError) {
        #expect(CoreBluetoothError(rawValue: number) == code)
        #expect(BluetoothError(code, peer: PeerID("x")) == error)
    }

    @Test("No code of Apple's is missing from the table")
    func coreBluetoothIsComplete() {
        #expect(Self.coreBluetooth.map(\.1) == CoreBluetoothError.allCases)
    }
}

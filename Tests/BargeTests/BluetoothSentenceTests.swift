import Bluetooth
import Testing

@testable import Barge

@Suite("What is said of Bluetooth's errors")
struct BluetoothSentenceTests {
    typealias Row = (BluetoothError, String, BargeError.Kind, BargeError.Recovery)

    private static let uuid = BluetoothUUID(0x180A)

    /// Identifier, kind and recovery are a contract with scripts.
    static let table: [Row] = [
        (.unavailable("x"), "bluetooth-unavailable", .bluetoothUnavailable, .giveUp),
        (.poweredOff, "adapter-off", .bluetoothUnavailable, .giveUp),
        (.stackFailed(.unspecified), "bluetooth-failed", .bluetoothUnavailable, .retry),
        (.stackFailed(.uuidNotAllowed), "bluetooth-failed", .bluetoothUnavailable, .giveUp),
        (.notSupported("x"), "feature-not-supported", .refused, .giveUp),
        (.connectionLimit, "connection-limit", .bluetoothUnavailable, .retry),
        (.outOfSpace, "out-of-space", .refused, .giveUp),
        (.peerNotFound(PeerID("x")), "device-not-found", .deviceNotFound, .giveUp),
        (.connectionFailed(.system("x")), "connection-failed", .linkLost, .resume),
        (
            .connectionFailed(.status(.failedToEstablish)), "connection-failed", .linkLost,
            .resume
        ),
        (.notConnected, "not-connected", .linkLost, .resume),
        (.timedOut("x"), "timed-out", .linkLost, .resume),
        (.linkLost(.supervisionTimeout), "link-lost", .linkLost, .resume),
        (.linkLost(.other(HCIStatus(code: 0x7E))), "link-lost", .linkLost, .resume),
        (
            .securityNotReached(wanted: .fips, reason: "x"), "security-not-reached", .security,
            .giveUp
        ),
        (.pairingRemoved(by: .local), "pairing-removed", .security, .giveUp),
        (.pairingRemoved(by: .peer), "pairing-removed", .security, .giveUp),
        (.authenticationRefused(.declined), "authentication-refused", .security, .giveUp),
        (
            .authenticationRefused(.pairing(.confirmValueFailed)), "authentication-refused",
            .security, .giveUp
        ),
        (
            .authenticationRefused(.link(.authenticationFailure)), "authentication-refused",
            .security, .giveUp
        ),
        (.keyTooShort(wantedBits: 128, reachedBits: 56), "key-too-short", .security, .giveUp),
        (.encryptionTimedOut, "encryption-timed-out", .security, .retry),
        (.tooManyPairings, "too-many-pairings", .security, .giveUp),
        (.attribute(.insufficientEncryption), "attribute-protected", .security, .giveUp),
        (.attribute(.readNotPermitted), "attribute-error", .refused, .giveUp),
        (.attribute(.insufficientResources), "attribute-error", .refused, .retry),
        (.noSuchService(uuid), "no-such-service", .refused, .giveUp),
        (.noSuchAttribute(uuid), "no-such-attribute", .refused, .giveUp),
        (.notificationLimit(.exceeded), "notification-limit", .linkLost, .resume),
        (.channelRefused(.insufficientEncryption), "channel-protected", .security, .giveUp),
        (.channelRefused(.psmNotSupported), "channel-refused", .refused, .giveUp),
        (.channelRefused(.noResources), "channel-refused", .refused, .retry),
        (.channelClosed, "channel-closed", .linkLost, .resume),
        (
            .advertisementTooLong(bytes: 40, limit: 31), "advertisement-too-long",
            .bluetoothUnavailable, .giveUp
        ),
        (.canceled, "canceled", .canceled, .giveUp),
    ]

    @Test("Every error has its identifier, its kind, its recovery and its three sentences")
    func rows() {
        for (cause, identifier, kind, recovery) in Self.table {
            let error = BargeError(cause, while: "testing")
            #expect(error.identifier == identifier)
            #expect(error.kind == kind, "\(cause)")
            #expect(error.recovery == recovery, "\(cause)")
            for part in [error.what, error.why, error.advice] {
                #expect(!part.isEmpty && part.last != ".", "\(cause)")
            }
        }
    }

    @Test("Every case is in the table, and no two of different cases share an identifier")
    func distinct() {
        var identifiers: [Substring: Set<String>] = [:]
        for (cause, identifier, _, _) in Self.table {
            identifiers["\(cause)".prefix { $0 != "(" }, default: []].insert(identifier)
        }
        #expect(identifiers.count == 25)
        let all = identifiers.values.flatMap(\.self)
        #expect(all.count == Set(all).count)
    }

    @Test("What is terminal gives up, what queues is tried again")
    func recovery() {
        for (cause, _, _, _) in Self.table {
            let error = BargeError(cause, while: "testing")
            switch cause.persistence {
            case .terminal, .canceled: #expect(error.recovery == .giveUp, "\(cause)")
            case .queued: #expect(error.recovery == .retry)
            case .passing: continue
            }
        }
    }

    @Test("Every ATT error names itself")
    func attributes() {
        for code in UInt8.min...UInt8.max {
            let attribute = ATTError(code: code)
            let error = BargeError(.attribute(attribute), while: "testing")
            #expect(error.why.contains(attribute.name))
            #expect(!error.advice.isEmpty)
        }
    }

    @Test("Every reason of a lost link and every failure of pairing has words of its own")
    func reasons() {
        var texts = Set<String>()
        let reasons: [LinkLossReason] = [
            .supervisionTimeout, .remoteTerminated, .remoteOutOfResources, .remotePoweredOff,
            .localTerminated, .responseTimeout, .instantPassed, .unacceptableParameters,
            .integrityFailure, .failedToEstablish, .adapterGone,
            .other(HCIStatus(code: 0x7E)),
        ]
        for reason in reasons {
            texts.insert(BargeError(.linkLost(reason), while: "testing").why)
        }
        for code in UInt8(1)...0x10 {
            let refusal = AuthenticationRefusal.pairing(PairingFailure(code: code))
            texts.insert(BargeError(.authenticationRefused(refusal), while: "testing").why)
        }
        #expect(texts.count == reasons.count + 16)
    }

    @Test("A removed pairing says which commands help")
    func pairingRemoved() {
        let error = BargeError(.pairingRemoved(by: .peer), while: "testing")
        #expect(error.advice.contains("barge forget --keys DEVICE, then barge pair DEVICE"))
    }

    @Test("A short key says how short, in so far as somebody said it")
    func keys() {
        func why(_ wanted: Int?, _ reached: Int?) -> String {
            let cause = BluetoothError.keyTooShort(wantedBits: wanted, reachedBits: reached)
            return BargeError(cause, while: "testing").why
        }
        #expect(why(128, 56) == "it has 56 bits, and 128 are wanted")
        #expect(Set([why(128, 56), why(128, nil), why(nil, 56), why(nil, nil)]).count == 4)
    }
}

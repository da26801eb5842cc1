import Bluetooth
import Testing

@Suite("How controllers end things")
struct HCIStatusTests {
    /// Core 5.4, Vol 1, Part F, 1.3, table 1.1: code and name; then what it comes to where a link
    /// stood, and where one was to begin.
    static let table: [(UInt8, String, BluetoothError, BluetoothError)] = [
        (
            0x05, "Authentication Failure",
            .authenticationRefused(.link(.authenticationFailure)),
            .authenticationRefused(.link(.authenticationFailure))
        ),
        (0x06, "PIN or Key Missing", .pairingRemoved(by: .peer), .pairingRemoved(by: .peer)),
        (
            0x08, "Connection Timeout", .linkLost(.supervisionTimeout),
            .connectionFailed(.status(.connectionTimeout))
        ),
        (
            0x09, "Connection Limit Exceeded", .linkLost(.other(.connectionLimit)),
            .connectionLimit
        ),
        (
            0x13, "Remote User Terminated Connection", .linkLost(.remoteTerminated),
            .connectionFailed(.status(.remoteUserTerminated))
        ),
        (
            0x14, "Remote Device Terminated Connection due to Low Resources",
            .linkLost(.remoteOutOfResources), .connectionFailed(.status(.remoteLowResources))
        ),
        (
            0x15, "Remote Device Terminated Connection due to Power Off",
            .linkLost(.remotePoweredOff), .connectionFailed(.status(.remotePowerOff))
        ),
        (
            0x16, "Connection Terminated by Local Host", .linkLost(.localTerminated),
            .connectionFailed(.status(.localHostTerminated))
        ),
        (
            0x1A, "Unsupported Remote Feature", .notSupported("what the link was asked for"),
            .notSupported("a link of this kind")
        ),
        (
            0x22, "LMP Response Timeout / LL Response Timeout", .linkLost(.responseTimeout),
            .connectionFailed(.status(.responseTimeout))
        ),
        (
            0x28, "Instant Passed", .linkLost(.instantPassed),
            .connectionFailed(.status(.instantPassed))
        ),
        (
            0x29, "Pairing with Unit Key Not Supported",
            .authenticationRefused(.link(.unitKeyNotSupported)),
            .authenticationRefused(.link(.unitKeyNotSupported))
        ),
        (
            0x2F, "Insufficient Security", .authenticationRefused(.link(.insufficientSecurity)),
            .authenticationRefused(.link(.insufficientSecurity))
        ),
        (
            0x3B, "Unacceptable Connection Parameters", .linkLost(.unacceptableParameters),
            .connectionFailed(.status(.unacceptableParameters))
        ),
        (
            0x3D, "Connection Terminated due to MIC Failure", .linkLost(.integrityFailure),
            .connectionFailed(.status(.integrityFailure))
        ),
        (
            0x3E, "Connection Failed to be Established / Synchronization Timeout",
            .linkLost(.failedToEstablish), .connectionFailed(.status(.failedToEstablish))
        ),
    ]

    @Test("Every code of an LE link has its name and its meaning", arguments: table)
    func meanings(code: UInt8, name: String, ended: BluetoothError, connecting: BluetoothError) {
        let status = HCIStatus(code: code)
        #expect(status.name == name)
        #expect(BluetoothError(linkEnded: status) == ended)
        #expect(BluetoothError(connectingEnded: status) == connecting)
    }

    @Test("A code that nobody foresaw is a lost link, or a failed one, with its number")
    func unnamed() {
        let status = HCIStatus(code: 0x7E)
        #expect(status.description == "Error (HCI 0x7E)")
        #expect(BluetoothError(linkEnded: status) == .linkLost(.other(status)))
        #expect(BluetoothError(connectingEnded: status) == .connectionFailed(.status(status)))
    }

    @Test("An attempt to connect that this side called off is canceled")
    func canceled() {
        // Core 5.4, Vol 4, Part E, 7.8.13: LE_Create_Connection_Cancel, status 0x02.
        #expect(BluetoothError(connectingEnded: HCIStatus(code: 0x02)) == .canceled)
    }

    @Test("Encryption that is not answered timed out; a key that is missing was removed")
    func encrypting() {
        for code: UInt8 in [0x08, 0x22] {
            let error = BluetoothError(encryptingEnded: HCIStatus(code: code))
            #expect(error == .encryptionTimedOut)
        }
        let missing = BluetoothError(encryptingEnded: HCIStatus(code: 0x06))
        #expect(missing == .pairingRemoved(by: .peer))
        let unsupported = BluetoothError(encryptingEnded: HCIStatus(code: 0x1A))
        #expect(unsupported == .notSupported("encryption"))
    }
}

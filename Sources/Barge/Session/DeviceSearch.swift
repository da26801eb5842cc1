import BargeProtocol
import Bluetooth

/// What is known of the device that is wanted: where it may be, who it must be, and what went wrong
/// last on the way to it.
struct DeviceSearch {
    /// What the link's keeper is told.
    private(set) var goal: LinkGoal
    /// What went wrong in the last session; nil where the link itself was the matter.
    var lastError: BargeError?
    private var expected: Expectation
    private var phase = ConnectionLifecycle.Phase.disconnected
    private let giveUpMicroseconds: UInt64

    /// Who must answer.
    private enum Expectation: Equatable {
        /// Whoever is there: nothing is known yet, or the device has no serial.
        case anyone
        /// The device of this serial.
        case device(Name)
        /// The device whose serial is shown as this, which is how it is remembered: bytes that are
        /// no text look otherwise than they are.
        case shown(String)
        /// The device of this serial, after another boot (BTP-093).
        case rebooted(DeviceIdentity)
    }

    /// Who answered.
    enum Answer {
        case isWanted
        case isAnother
        /// It is the device, before its reset.
        case isNotBackYet
    }

    init(_ device: DeviceReference, _ options: HostOptions) {
        giveUpMicroseconds = options.giveUpMicroseconds
        let service = BargeService.uuid
        expected = .anyone
        switch device {
        case .peer(let peer): goal = LinkGoal(peers: [peer], service: service)
        case .name(let name):
            var filter = ScanFilter()
            filter.name = .exactly(name)
            goal = LinkGoal(peers: [], filter: filter, service: service)
        case .identity(let serial, let peers):
            goal = LinkGoal(peers: peers, service: service)
            goal.title = serial
            expect(.shown(serial))
        }
        goal.security = options.security
        goal.stepMicroseconds = options.stepMicroseconds
        goal.giveUpMicroseconds = options.giveUpMicroseconds
    }

    /// True between a reset and the device's return.
    var isAwaitingReturn: Bool {
        if case .rebooted = expected { true } else { false }
    }

    mutating func entered(_ phase: ConnectionLifecycle.Phase) { self.phase = phase }

    /// Looks at who answered. From the first hello on the device is known by its serial, wherever
    /// it is found next.
    mutating func judge(_ hello: Hello, at peer: PeerID) -> Answer {
        switch expected {
        case .anyone: break
        case .device(let serial): if hello.serial != serial { return .isAnother }
        case .shown(let serial): if hello.serial.printable != serial { return .isAnother }
        case .rebooted(let before):
            if hello.serial != before.serial { return .isAnother }
            if hello.bootID == before.bootID { return .isNotBackYet }
        }
        lastError = nil
        goal.giveUpMicroseconds = giveUpMicroseconds
        goal.wasSeen = true
        goal.peers = [peer] + goal.peers.filter { $0 != peer }.prefix(Self.mostOldPeers)
        if hello.serial.isEmpty {
            expected = .anyone
        } else {
            expect(.device(hello.serial))
        }
        return .isWanted
    }

    /// The device resets: the next one that answers must be it, after another boot.
    mutating func awaitReturn(of hello: Hello, patienceMicroseconds: UInt64) {
        expect(.rebooted(DeviceIdentity(hello)))
        goal.giveUpMicroseconds = patienceMicroseconds
        if hello.serial.isEmpty { goal.filter = nil }
    }

    /// A device of a known serial may be at another address: everybody with the service is asked.
    private mutating func expect(_ expectation: Expectation) {
        expected = expectation
        goal.checksIdentity = true
        var filter = ScanFilter()
        filter.service = BargeService.uuid
        goal.filter = filter
    }

    /// True where a peer was only found by what it advertises.
    func mayBeAnother(_ peer: PeerID) -> Bool {
        goal.checksIdentity && !goal.peers.contains(peer)
    }

    // MARK: What went wrong

    /// Why another try is needed.
    func reason(for error: BluetoothError) -> BargeError {
        lastError ?? BargeError(error, while: phase.action)
    }

    /// Why nothing more is tried.
    func failure(for error: BluetoothError) -> BargeError {
        switch (expected, error.persistence) {
        case (.rebooted, .passing):
            return BargeError(
                .verification, "device-did-not-return", what: "The device did not come back",
                why: "it was not heard within its time after the reset",
                advice: "Look at the device; unless the new image was confirmed, the old one "
                    + "comes back at its next reset")
        case (.anyone, _), (.device, _), (.shown, _), (.rebooted, _): break
        }
        if let lastError, error.persistence == .passing { return lastError }
        guard goal.wasSeen, case .peerNotFound = error else {
            return BargeError(error, while: phase.action)
        }
        return BargeError(
            .linkLost, "device-out-of-range", what: "The device did not come back",
            why: "it was not heard any more",
            advice: "Bring it closer or look whether it is on, and run the same command again: it "
                + "goes on where it was", recovery: .resume)
    }

    /// Addresses that a device had before its current one.
    private static var mostOldPeers: Int { 3 }
}

/// By what a device is known again after its reset.
struct DeviceIdentity: Equatable {
    let serial: Name
    let bootID: UInt32

    init(_ hello: Hello) {
        serial = hello.serial
        bootID = hello.bootID
    }
}

extension ConnectionLifecycle.Phase {
    /// What was being done, for a message.
    fileprivate var action: String {
        switch self {
        case .poweredOff: "waiting for the adapter"
        case .disconnected, .connecting, .restoring, .connected, .outOfRange: "connecting"
        case .scanning: "scanning"
        case .securing: "securing the link"
        case .discoveringServices, .discoveringCharacteristics: "opening a pipe"
        }
    }
}

import Barge
import BluetoothSimulation

/// Whoever stands before a simulated device: says what its display shows, since nobody can see it,
/// and lets simulated time stand still while a person at this computer thinks.
struct SimulatedPerson: PairingDelegate {
    let radio: SimulatedRadio
    let console: Console
    let delegate: ConsolePairing

    var capability: PairingCapability { delegate.capability }

    func answer(_ question: PairingQuestion) async -> PairingAnswer {
        let peer = question.peer
        if let shown = radio.withWorld({ $0.takeDisplayed(peer) }) {
            console.errorLine("\(peer.deviceText) shows \(shown)")
        }
        let delegate = delegate
        return await radio.standingStill { await delegate.answer(question) }
    }

    /// Who answers for a command line; nil where nobody does.
    static func pairing(
        _ arguments: ParsedArguments, _ console: Console, _ radio: SimulatedRadio
    ) -> (any PairingDelegate)? {
        let delegate = ConsolePairing(arguments, console)
        guard delegate.capability != .none else { return nil }
        return SimulatedPerson(radio: radio, console: console, delegate: delegate)
    }
}

extension PairingQuestion {
    /// Whom it is about.
    fileprivate var peer: PeerID {
        switch self {
        case .enterPasskey(let peer), .showPasskey(_, let peer), .compare(_, let peer): peer
        }
    }
}

extension Failure {
    /// The failure with the advice that helps where nobody could be asked.
    func advising(_ pairing: (any PairingDelegate)?) -> Failure {
        guard pairing == nil, identifier == "security-not-reached" else { return self }
        return Failure(
            exitCode, identifier, what: what, why: why,
            advice:
                "run it on a terminal, or give the device's digits with --passkey, or --yes; or "
                + "ask for another --security")
    }
}

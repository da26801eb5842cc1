import Barge

/// Answers what pairing asks: from the options of a command line, else by whoever sits at the
/// terminal. What is shown and typed goes to standard error and comes from the terminal alone: logs
/// and events never have it.
struct ConsolePairing: PairingDelegate {
    private let console: Console
    private let passkey: Passkey?
    /// Whether everything but digits to type is answered with yes.
    private let agrees: Bool
    /// A line that a person types; nil where nobody is there.
    private let readLine: LineReader?

    /// Asks a person for a line; nil where they say no more.
    typealias LineReader = @Sendable () async -> String?

    /// What `--passkey` and `--yes` say, and the terminal where standard input is one.
    init(_ arguments: ParsedArguments, _ console: Console) {
        var terminal: LineReader?
        if System.isTerminal(TerminalLine.standardInput) {
            terminal = { () async -> String? in await TerminalLine.read() }
        }
        self.init(
            passkey: arguments[LinkOptions.passkey], agrees: arguments[LinkOptions.yes],
            console: console, readLine: terminal)
    }

    /// - Parameter readLine: asks a person for a line; nil where nobody is there.
    init(
        passkey: Passkey?, agrees: Bool, console: Console,
        readLine: LineReader?
    ) {
        self.passkey = passkey
        self.agrees = agrees
        self.console = console
        self.readLine = readLine
    }

    var capability: PairingCapability {
        if readLine != nil || passkey != nil { return .keyboardDisplay }
        return agrees ? .displayYesNo : .none
    }

    func answer(_ question: PairingQuestion) async -> PairingAnswer {
        switch question {
        case .enterPasskey(let peer):
            if let passkey { return .passkey(passkey) }
            return await typedPasskey(of: peer)
        case .showPasskey(let passkey, let peer):
            console.errorLine("type \(passkey) on \(peer.deviceText)")
            if agrees { return .accept }
            return await confirms("was \(passkey) typed on \(peer.deviceText)? [y/N]")
        case .compare(let shown, let peer):
            // Digits on the line are what the device is known to show.
            if let passkey { return passkey == shown ? .accept : .refuse }
            if agrees { return .accept }
            return await confirms("does \(peer.deviceText) show \(shown)? [y/N]")
        }
    }

    // MARK: A person

    private func typedPasskey(of peer: PeerID) async -> PairingAnswer {
        guard let readLine else { return .refuse }
        return await ConsoleTurn.shared.take {
            console.setTypedOn(true)
            defer { console.setTypedOn(false) }
            console.errorLine("type the six digits that \(peer.deviceText) shows (none to stop):")
            for _ in 0..<Self.mostTries {
                guard let line = await readLine(), !line.isEmpty else { return .refuse }
                let digits = line.filter { !$0.isWhitespace }
                if let passkey = Passkey(digits) { return .passkey(passkey) }
                console.errorLine("a passkey has six digits, zeros in front (none to stop):")
            }
            return .refuse
        }
    }

    private func confirms(_ question: String) async -> PairingAnswer {
        guard let readLine else { return .refuse }
        return await ConsoleTurn.shared.take {
            console.setTypedOn(true)
            defer { console.setTypedOn(false) }
            console.errorLine(question)
            let line = await readLine()?.lowercased()
            return line == "y" || line == "yes" ? .accept : .refuse
        }
    }

    /// Whoever mistypes more often than this does not know the digits.
    private static let mostTries = 5
}

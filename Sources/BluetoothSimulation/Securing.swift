public import Bluetooth

/// A link that is being encrypted, and the pairing before that if there is one.
struct Securing {
    /// Where it stands.
    enum Stage {
        /// Both sides have keys.
        case encrypting(SimulatedBond)
        /// Features and public keys are exchanged; the question comes next.
        case exchanging(PairingQuestion, Passkey)
        /// Somebody at this computer is asked.
        case asking(PairingQuestion, Passkey)
        /// The answer is in, or none was needed: what is left is on the air.
        case finishing(Result<SimulatedBond, BluetoothError>)
    }

    let operation: UInt64
    /// What the pairing will have made, if it comes about.
    let bond: SimulatedBond
    var stage: Stage
    /// When the stage is over; an event for another moment is one of a stage before.
    var dueMicroseconds: UInt64
}

/// How a link is encrypted. With keys on both sides that takes four connection intervals; without
/// any, or with keys of a level below, pairing comes first and takes another twelve, and as long
/// as a person takes to answer. The packets of both are not modelled, only their time.
extension SimulatedWorld {
    /// - Parameter capability: of whoever answers what pairing asks; nil where nobody does.
    func beginSecuring(
        _ link: Link, at level: SecurityLevel, answeredBy capability: PairingCapability? = nil
    ) -> UInt64 {
        let operation = makeOperation(on: link)
        guard link.ending.central == nil else { return operation }
        if link.security >= level {
            finish(operation, .success(.nothing))
        } else if link.securing != nil {
            finish(
                operation,
                .failure(
                    .securityNotReached(
                        wanted: level, reason: "another pairing is under way on this link")))
        } else {
            do throws(BluetoothError) {
                link.securing = try firstStage(operation, link, level, capability)
            } catch {
                finish(operation, .failure(error))
            }
        }
        return operation
    }

    /// Encrypts with the keys that there are, or pairs. Keys that one side alone has are never a
    /// reason to do with less.
    private func firstStage(
        _ operation: UInt64, _ link: Link, _ level: SecurityLevel, _ capability: PairingCapability?
    ) throws(BluetoothError) -> Securing {
        let device = link.device
        switch (centralBonds[device.peer], device.bond) {
        case (.some, nil):
            throw .pairingRemoved(by: .peer)
        case (nil, .some) where !device.configuration.acceptsNewBond:
            throw .pairingRemoved(by: .local)
        case (let own?, let other?) where min(own.level, other.level) >= level:
            let bond = own.level <= other.level ? own : other
            let due = planStage(of: link, after: Self.startIntervals)
            return Securing(
                operation: operation, bond: bond, stage: .encrypting(bond), dueMicroseconds: due)
        case (.some, .some), (nil, .some), (nil, nil):
            return try pairing(operation, link, level, capability)
        }
    }

    private func pairing(
        _ operation: UInt64, _ link: Link, _ level: SecurityLevel, _ capability: PairingCapability?
    ) throws(BluetoothError) -> Securing {
        let configuration = link.device.configuration
        let plan = try PairingPlan(to: level, capability: capability, device: configuration)
        let passkey = configuration.passkey ?? drawPasskey()
        guard let question = plan.question(passkey, link.device.peer) else {
            let due = planStage(of: link, after: Self.exchangeIntervals + Self.checkIntervals)
            return Securing(
                operation: operation, bond: plan.bond, stage: .finishing(.success(plan.bond)),
                dueMicroseconds: due)
        }
        let due = planStage(of: link, after: Self.exchangeIntervals)
        return Securing(
            operation: operation, bond: plan.bond, stage: .exchanging(question, passkey),
            dueMicroseconds: due)
    }

    /// Returns when the stage is over.
    private func planStage(of link: Link, after intervals: UInt64) -> UInt64 {
        plan(.secured(link.index), after: link.intervals(intervals))
        return now.microseconds + link.intervals(intervals)
    }

    private func drawPasskey() -> Passkey {
        pairingCount += 1
        var stream = RandomStream(seed: seed, purpose: .pairing, number: pairingCount)
        guard let passkey = Passkey(UInt32(stream.next(below: 1_000_000))) else {
            preconditionFailure("six digits are below a million")
        }
        return passkey
    }

    /// A stage's time is over.
    func secured(_ link: Link) {
        guard let securing = link.securing, securing.dueMicroseconds == now.microseconds else {
            return
        }
        guard link.ending.central == nil, isReachable(link) else {
            link.endSecuring()
            return
        }
        switch securing.stage {
        case .encrypting(let bond), .finishing(.success(let bond)):
            encrypt(link, with: bond, securing.operation)
        case .finishing(.failure(let error)):
            link.endSecuring()
            finish(securing.operation, .failure(error))
        case .exchanging(let question, let passkey):
            ask(question, passkey, on: link)
        case .asking:
            // The SMP timeout (Core 5.4, Vol 3, Part H, 3.4): the pairing has failed.
            link.endSecuring()
            finish(securing.operation, .failure(.encryptionTimedOut))
        }
    }

    private func encrypt(_ link: Link, with bond: SimulatedBond, _ operation: UInt64) {
        link.endSecuring()
        centralBonds[link.device.peer] = bond
        link.device.bond = bond
        link.security = bond.level
        link.keyBytes = bond.keyBytes
        link.encrypt()
        finish(operation, .success(.nothing))
    }

    // MARK: Questions

    private func ask(_ question: PairingQuestion, _ passkey: Passkey, on link: Link) {
        let timeout = Self.pairingTimeoutMicroseconds
        link.securing?.stage = .asking(question, passkey)
        link.securing?.dueMicroseconds = now.microseconds + timeout
        plan(.secured(link.index), after: timeout)
        switch question {
        case .enterPasskey, .compare: link.device.displayed = passkey
        case .showPasskey: break
        }
        changes.noteAnything()
    }

    /// What is to be asked for an operation; nil where nothing is, or not any more.
    func question(of operation: UInt64) -> PairingQuestion? {
        guard case .asking(let question, _) = securing(operation)?.securing?.stage else {
            return nil
        }
        return question
    }

    /// The answer to an operation's question. One that comes too late changes nothing.
    func answer(_ answer: PairingAnswer, for operation: UInt64) {
        guard let link = securing(operation), let securing = link.securing,
            case .asking(let question, let passkey) = securing.stage
        else { return }
        let failure = failure(of: answer, to: question, passkey, link.device.configuration)
        link.device.displayed = nil
        link.securing?.stage = .finishing(
            failure.map { .failure(.authenticationRefused($0)) } ?? .success(securing.bond))
        // A refusal is one PDU; all else is checked by both sides first.
        let due = planStage(of: link, after: failure == .declined ? 1 : Self.checkIntervals)
        link.securing?.dueMicroseconds = due
    }

    /// Why an answer ends the pairing (Core 5.4, Vol 3, Part H, 3.5.5); nil where it goes on.
    private func failure(
        of answer: PairingAnswer, to question: PairingQuestion, _ passkey: Passkey,
        _ device: DeviceConfiguration
    ) -> AuthenticationRefusal? {
        switch (question, answer) {
        case (.enterPasskey, .passkey(passkey)), (.showPasskey, .accept):
            nil
        case (.compare, .accept):
            device.confirmsComparison ? nil : .pairing(.numericComparisonFailed)
        case (.enterPasskey, .passkey):
            .pairing(.confirmValueFailed)
        case (.enterPasskey, .accept), (.showPasskey, .passkey), (.compare, .passkey), (_, .refuse):
            .declined
        }
    }

    /// The digits that a device shows, once for each pairing; nil where it shows none.
    public func takeDisplayed(_ peer: PeerID) -> Passkey? {
        defer { device(peer)?.displayed = nil }
        return device(peer)?.displayed
    }

    /// The link that an operation secures.
    func securing(_ operation: UInt64) -> Link? {
        let link = operations[operation]?.link.flatMap { links[$0] }
        return link?.securing?.operation == operation ? link : nil
    }

    private static let startIntervals: UInt64 = 4
    private static let exchangeIntervals: UInt64 = 6
    private static let checkIntervals: UInt64 = 10
    /// Core 5.4, Vol 3, Part H, 3.4.
    private static let pairingTimeoutMicroseconds: UInt64 = 30_000_000
}

extension SecurityLevel {
    /// The highest level is for keys of 128 bits alone (Core 5.4, Vol 3, Part C, 10.2.1).
    static let fipsKeyBytes = 16
}

extension Link {
    /// Whether nothing but its key's length keeps the link from a level.
    func hasTooShortKey(for level: SecurityLevel) -> Bool {
        level == .fips && security == .authenticated && keyBytes < SecurityLevel.fipsKeyBytes
    }
}

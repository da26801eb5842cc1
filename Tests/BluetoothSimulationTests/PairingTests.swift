import Bluetooth
import Testing

@testable import BluetoothSimulation

@Suite("Pairing")
struct PairingTests {
    private func secure(
        _ bench: Bench, _ level: SecurityLevel, _ capability: PairingCapability?,
        _ answer: (PairingQuestion) -> PairingAnswer = { _ in .refuse }
    ) throws {
        try bench.world.secure(
            bench.link, at: level, answeredBy: capability, until: bench.world.after(seconds: 100),
            answer)
    }

    private func bench(
        _ capability: PairingCapability, _ adjust: (inout DeviceConfiguration) -> Void = { _ in }
    ) throws -> Bench {
        try Bench { configuration, _ in
            configuration.pairingCapability = capability
            adjust(&configuration)
        }
    }

    /// What is asked here: nothing (J), for digits (I), that they be shown (R), for a comparison
    /// (C). Core 5.4, Vol 3, Part H, table 2.8; columns are initiators in the order of
    /// ``PairingCapability``: none, display, display and yes/no, keyboard, keyboard and display.
    /// Each cell is the older way, then LE Secure Connections.
    static let table: [(responder: PairingCapability, asked: [String])] = [
        (.none, ["JJ", "JJ", "JJ", "JJ", "JJ"]),
        (.displayOnly, ["JJ", "JJ", "JJ", "II", "II"]),
        (.displayYesNo, ["JJ", "JJ", "JC", "II", "IC"]),
        (.keyboardOnly, ["JJ", "RR", "RR", "II", "RR"]),
        (.keyboardDisplay, ["JJ", "RR", "RC", "II", "RC"]),
    ]

    @Test(
        "The specification's table says what is asked, and that says the level",
        arguments: table, [false, true])
    func methods(row: (responder: PairingCapability, asked: [String]), isSecure: Bool) throws {
        for (cell, initiator) in zip(row.asked, PairingCapability.allCases) {
            let bench = try bench(row.responder) { $0.supportsSecureConnections = isSecure }
            let expected = isSecure ? cell.last : cell.first
            var asked: Character = "J"
            let world = bench.world
            do throws(BluetoothError) {
                try world.secure(
                    bench.link, at: .authenticated, answeredBy: initiator,
                    until: world.after(seconds: 100)
                ) { question in
                    switch question {
                    case .enterPasskey:
                        asked = "I"
                        return world.takeDisplayed(testPeer).map(PairingAnswer.passkey) ?? .refuse
                    case .showPasskey:
                        asked = "R"
                        return .accept
                    case .compare(let passkey, _):
                        asked = "C"
                        return world.takeDisplayed(testPeer) == passkey ? .accept : .refuse
                    }
                }
            } catch {
                guard case .securityNotReached(.authenticated, _) = error else { throw error }
            }
            #expect(asked == expected, "\(initiator)")
            let reached: SecurityLevel = isSecure ? .fips : .authenticated
            #expect(world.security(of: bench.link) == (expected == "J" ? .none : reached))
        }
    }

    @Test("A wrong passkey, a refusal and a no at the device end the pairing, each with its reason")
    func refusals() throws {
        let typing = try bench(.displayOnly) { $0.passkey = Passkey(123_456) }
        let wrong = try #require(Passkey(123_457))
        #expect(
            throws: BluetoothError.authenticationRefused(.pairing(.confirmValueFailed))
        ) { try secure(typing, .authenticated, .keyboardOnly) { _ in .passkey(wrong) } }
        #expect(throws: BluetoothError.authenticationRefused(.declined)) {
            try secure(typing, .authenticated, .keyboardOnly) { _ in .refuse }
        }
        #expect(typing.world.bonds == SimulatedBonds())
        #expect(typing.world.security(of: typing.link) == .none)
        let right = try #require(Passkey(123_456))
        try secure(typing, .authenticated, .keyboardOnly) { _ in .passkey(right) }

        let comparing = try bench(.displayYesNo) { $0.confirmsComparison = false }
        #expect(
            throws: BluetoothError.authenticationRefused(.pairing(.numericComparisonFailed))
        ) { try secure(comparing, .authenticated, .displayYesNo) { _ in .accept } }
    }

    @Test("Where nobody answers, only what needs no answer comes about")
    func nobody() throws {
        let bench = try bench(.keyboardDisplay)
        let error = #expect(throws: BluetoothError.self) {
            try secure(bench, .authenticated, nil)
        }
        guard case .securityNotReached(.authenticated, let reason) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(reason.contains("nobody"))
        try secure(bench, .encrypted, nil)
        #expect(bench.world.security(of: bench.link) == .encrypted)
    }

    @Test("A short key is enough for all levels but the highest", arguments: [7, 8, 15, 16])
    func keys(keyBytes: Int) throws {
        let bench = try bench(.displayYesNo) { $0.keyBytes = keyBytes }
        if keyBytes == 16 {
            try secure(bench, .fips, .displayYesNo) { _ in .accept }
        } else {
            let short = BluetoothError.keyTooShort(wantedBits: 128, reachedBits: 8 * keyBytes)
            #expect(throws: short) { try secure(bench, .fips, .displayYesNo) { _ in .accept } }
            #expect(bench.world.security(of: bench.link) == .none)
            try secure(bench, .authenticated, .displayYesNo) { _ in .accept }
        }
        let level: SecurityLevel = keyBytes == 16 ? .fips : .authenticated
        let bond = SimulatedBond(level: level, keyBytes: keyBytes)
        #expect(
            bench.world.bonds
                == SimulatedBonds(
                    centralBonds: [testPeer: bond], deviceBonds: [testPeer: bond]))
    }

    @Test("What is too short for a channel or an attribute is refused as that")
    func shortKeyRefused() throws {
        let bench = try Bench { configuration, device in
            configuration.pairingCapability = .displayYesNo
            configuration.keyBytes = 7
            device.security = .fips
            device.characteristicSecurity = .fips
        }
        let readable = try bench.characteristic(TestDevice.readable)
        func read() throws {
            _ = try bench.world.readValue(
                of: readable, on: bench.link, until: bench.world.after(seconds: 1))
        }
        #expect(throws: BluetoothError.attribute(.insufficientAuthentication)) { try read() }
        try secure(bench, .authenticated, .displayYesNo) { _ in .accept }
        #expect(throws: BluetoothError.attribute(.encryptionKeySizeTooShort)) { try read() }
        #expect(throws: BluetoothError.channelRefused(.keyTooShort)) { try bench.open() }
    }

    @Test("With keys on both sides nobody is asked, and a lower bond is raised by pairing anew")
    func bonded() throws {
        let bench = try bench(.displayYesNo)
        try secure(bench, .encrypted, .displayYesNo) { _ in
            Issue.record("nobody asked for protection")
            return .refuse
        }
        #expect(bench.world.keptBond(with: testPeer).device?.level == .encrypted)
        var questions = 0
        for level in [SecurityLevel.authenticated, .fips] {
            try secure(bench, level, .displayYesNo) { _ in
                questions += 1
                return .accept
            }
        }
        #expect(questions == 1)
        bench.world.disconnect(bench.link, until: bench.world.after(seconds: 1))
        let again = try bench.world.connect(to: testPeer, until: bench.world.after(seconds: 1))
        let start = bench.world.now
        try bench.world.secure(again, at: .authenticated, until: bench.world.after(seconds: 1))
        #expect(bench.world.security(of: again) == .fips)
        // Four intervals of 30 ms.
        #expect(bench.world.now.microseconds(since: start) == 120_000)
    }

    @Test("A fixed passkey is shown each time, and a drawn one is another one each time")
    func passkeys() throws {
        func shown(_ fixed: Passkey?) throws -> [Passkey?] {
            let bench = try bench(.displayOnly) { $0.passkey = fixed }
            return (0..<3).map { _ in
                var shown: Passkey?
                #expect(bench.world.takeDisplayed(testPeer) == nil)
                #expect(throws: BluetoothError.self) {
                    try secure(bench, .authenticated, .keyboardOnly) { _ in
                        shown = bench.world.takeDisplayed(testPeer)
                        return .refuse
                    }
                }
                return shown
            }
        }
        let fixed = try #require(Passkey(7))
        #expect(try shown(fixed) == [fixed, fixed, fixed])
        let drawn = try shown(nil)
        #expect(Set(drawn).count == 3)
        #expect(try shown(nil) == drawn, "equal seeds, equal passkeys")
    }
}

@Suite("Whoever is asked while a link pairs")
struct PairingConversationTests {
    private func connect(_ radio: SimulatedRadio) async throws -> SimulatedConnection {
        try await radio.central.connect(to: testPeer, until: .seconds(10))
    }

    @Test("Time stands still while a person thinks", .timeLimit(.minutes(1)))
    func thinking() async throws {
        let radio = makeRadio(.sink) { configuration, _ in
            configuration.pairingCapability = .displayOnly
        }
        let connection = try await connect(radio)
        let person = Person { question in
            #expect(question == .enterPasskey(testPeer))
            let asked = radio.now
            for _ in 0..<1_000 { await Task.yield() }
            #expect(radio.now == asked)
            return radio.withWorld { $0.takeDisplayed(testPeer) }.map(PairingAnswer.passkey)
                ?? .refuse
        }
        try await connection.secure(.fips, answering: person, until: .seconds(20))
        #expect(connection.parameters.security == .fips)
        #expect(radio.waiterCount == 0)
    }

    @Test("Time that somebody else waits for stands still as well, where it is told to")
    func stillness() async throws {
        let radio = makeRadio(.sink)
        let waiting = Task { try await radio.central.sleep(until: .seconds(100)) }
        let passed = await radio.standingStill {
            let begin = radio.now
            for _ in 0..<1_000 { await Task.yield() }
            return radio.now.microseconds - begin.microseconds
        }
        try await waiting.value
        #expect(passed == 0)
        #expect(radio.now >= .seconds(100))
    }

    /// Why a question is withdrawn.
    enum End: CaseIterable {
        case disconnected
        case timedOut
        case deadline
        case canceled
    }

    @Test(
        "A question is withdrawn when the pairing is over", .timeLimit(.minutes(1)),
        arguments: End.allCases)
    func withdrawn(end: End) async throws {
        let radio = makeRadio(.sink) { configuration, _ in
            configuration.pairingCapability = .displayOnly
        }
        let connection = try await connect(radio)
        let person = Person { _ in
            // Until the task is canceled.
            try? await Task.sleep(for: .seconds(3_600))
            return .refuse
        }
        let deadline = LinkInstant.seconds(end == .deadline ? 5 : 1_000)
        let pairing = Task {
            try await connection.secure(.authenticated, answering: person, until: deadline)
        }
        while !radio.withWorld({ $0.isAsking }) { await Task.yield() }
        let expected: BluetoothError
        switch end {
        case .disconnected:
            radio.withWorld { $0.severLinks(to: testPeer) }
            expected = .linkLost(.supervisionTimeout)
        case .timedOut:
            try await radio.central.sleep(until: .seconds(40))
            expected = .encryptionTimedOut
        case .deadline:
            try await radio.central.sleep(until: .seconds(6))
            expected = .timedOut("securing")
        case .canceled:
            pairing.cancel()
            expected = .canceled
        }
        await #expect(throws: expected) { try await pairing.value }
        #expect(radio.waiterCount == 0)
        #expect(radio.withWorld { $0.operations.isEmpty })
        #expect(radio.withWorld { !$0.isAsking })
    }
}

/// Answers as it is told.
private struct Person: PairingDelegate {
    var capability = PairingCapability.keyboardDisplay
    let reply: @Sendable (PairingQuestion) async -> PairingAnswer

    init(_ reply: @escaping @Sendable (PairingQuestion) async -> PairingAnswer) {
        self.reply = reply
    }

    func answer(_ question: PairingQuestion) async -> PairingAnswer { await reply(question) }
}

extension SimulatedWorld {
    fileprivate var isAsking: Bool { operations.keys.contains { question(of: $0) != nil } }
}

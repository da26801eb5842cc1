import Barge
import BluetoothSimulation
import Testing

/// Types these digits, and agrees to everything.
private struct Person: PairingDelegate {
    let passkey: Passkey
    let capability = PairingCapability.keyboardDisplay

    func answer(_ question: PairingQuestion) async -> PairingAnswer {
        if case .enterPasskey = question { .passkey(passkey) } else { .accept }
    }
}

@Suite("Pairing and forgetting")
struct PairingTests {
    private let bench: Bench
    private let person: Person

    init() throws {
        let passkey = try #require(Passkey("012345"))
        person = Person(passkey: passkey)
        var settings = Bench.Settings()
        settings.configuration.pairingCapability = .displayOnly
        settings.configuration.passkey = passkey
        bench = try Bench(settings)
    }

    @Test("A device is paired with once, by its address and by its name")
    func once() async throws {
        let host = bench.host
        let first = try await host.pair(bench.device)
        #expect(first.serial == "BENCH-1")
        #expect(first.level == .encrypted)
        #expect(!first.wasPaired)
        let second = try await host.pair(.name("bench"))
        #expect(second.peer == Bench.peer)
        #expect(second.wasPaired)
    }

    @Test("Keys that are not enough are replaced, and nobody is told that they were there")
    func better() async throws {
        var host = bench.host
        host.pairing = person
        _ = try await host.pair(bench.device)
        host.options.security = .fips
        let better = try await host.pair(bench.device)
        #expect(better.level == .fips)
        #expect(!better.wasPaired)
        host.pairing = nil
        #expect(try await host.pair(bench.device).wasPaired)
    }

    @Test("Pairing without encryption is pairing all the same")
    func atLeastEncrypted() async throws {
        var host = bench.host
        host.options.security = .none
        #expect(try await host.pair(bench.device).level == .encrypted)
    }

    @Test("What is forgotten is told, and once more there is nothing")
    func forget() async throws {
        let host = bench.host
        _ = try await host.pair(bench.device)
        let forgotten = try await host.forget(bench.device)
        #expect(forgotten.keys == [Bench.peer])
        #expect(!forgotten.isNothing)
        #expect(try await host.forget(bench.device).isNothing)
    }

    @Test("Keys that the device has lost are an error until they are forgotten")
    func lost() async throws {
        let host = bench.host
        _ = try await host.pair(bench.device)
        bench.radio.withWorld { $0.forgetCentral(Bench.peer) }
        let error = await #expect(throws: BargeError.self) { try await host.pair(bench.device) }
        #expect(error?.identifier == "pairing-removed")
        _ = try await host.forget(bench.device)
        #expect(try await !host.pair(bench.device).wasPaired)
    }
}

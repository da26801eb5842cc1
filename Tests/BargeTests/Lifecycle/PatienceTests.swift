import Bluetooth
import BluetoothSimulation
import Testing

@testable import Barge

@Suite("Patience ends five minutes after the last progress")
struct PatienceTests {
    private static let giveUp: UInt64 = 300_000_000
    /// A loss is noticed after 4 s, and the last round may begin as late as patience ends: 5 s
    /// directly, the system's links, and 10 s of scanning.
    private static let lastRound: UInt64 = 4_000_000 + 15_000_000

    private static func expectLoss(_ harbor: Harbor) async {
        do throws(BargeError) {
            _ = try await harbor.run()
            Issue.record("\(harbor.voyage): a device that is gone was reached")
        } catch {
            #expect(error.kind == .linkLost, "\(harbor.voyage): \(error)")
            #expect(error.recovery == .resume, "\(harbor.voyage): \(error)")
        }
    }

    @Test(
        "A device that stays away is given up, as resumable, and the same call again finishes",
        arguments: Voyage.all, [150, 300])
    func gone(voyage: Voyage, packets: Int) async throws {
        try await Stage.play { _ in
            let harbor = try voyage.harbor()
            harbor.radio.withWorld {
                $0.schedule(
                    .vanish(Bench.peer, forMicroseconds: 1_000_000_000), afterDataPackets: packets,
                    to: Bench.peer)
            }
            await Self.expectLoss(harbor)
            let passed = harbor.radio.now.microseconds
            #expect(passed >= Self.giveUp)
            #expect(passed <= Self.giveUp + Self.lastRound + 10_000_000, "the course itself: 10 s")
            #expect(harbor.radio.leftovers == [])
            harbor.radio.withWorld { $0.run(until: LinkInstant(microseconds: 1_100_000_000)) }
            let summary = try await harbor.run()
            #expect(try harbor.hasArrived())
            #expect(summary.sentBytes < UInt64(Voyage.bytes.count), "it went on where it was")
        }
    }

    @Test(
        "Progress begins patience anew: two absences of 200 s are survived", arguments: Voyage.all)
    func progress(voyage: Voyage) async throws {
        try await Stage.play { _ in
            let harbor = try voyage.harbor()
            let radio = harbor.radio
            var absences = 0
            _ = try await harbor.run { event in
                guard case .started = event, absences < 2 else { return }
                absences += 1
                radio.withWorld {
                    $0.schedule(
                        .vanish(Bench.peer, forMicroseconds: 200_000_000), afterDataPackets: 130,
                        to: Bench.peer)
                }
            }
            #expect(harbor.radio.now.microseconds > 400_000_000)
            #expect(try harbor.hasArrived())
        }
    }

    @Test(
        "An adapter that stays off is waited for as long as a device, and an unseen one for a step",
        arguments: Voyage.all, [0, 150])
    func adapter(voyage: Voyage, packets: Int) async throws {
        try await Stage.play { _ in
            let harbor = try voyage.harbor()
            harbor.radio.withWorld {
                guard packets > 0 else { return $0.setAdapterPowered(false) }
                $0.schedule(.adapterPowered(false), afterDataPackets: packets, to: Bench.peer)
            }
            await #expect {
                try await harbor.run()
            } throws: { error in
                (error as? BargeError)?.identifier == "adapter-off"
            }
            let patience = packets == 0 ? 10_000_000 : Self.giveUp
            let passed = harbor.radio.now.microseconds
            #expect(passed >= patience && passed <= patience + 10_000_000)
            harbor.radio.letDeviceNotice()
            #expect(harbor.radio.leftovers == [])
            harbor.radio.withWorld { $0.setAdapterPowered(true) }
            _ = try await harbor.run()
            #expect(try harbor.hasArrived())
        }
    }

    @Test(
        "A transfer that takes longer than patience survives a loss at its end",
        arguments: Voyage.Cargo.allCases)
    func longHaul(cargo: Voyage.Cargo) async throws {
        try await Stage.play { _ in
            let harbor = try Voyage(cargo: cargo, route: .coc).harbor { settings in
                // 27 bytes twenty times a second: a minute.
                settings.configuration.link.dataLengthBytes = 27
                settings.configuration.link.connectionIntervalMicroseconds = 50_000
                settings.configuration.link.maximumExchangesPerEvent = 1
            }
            harbor.radio.withWorld {
                $0.schedule(
                    .severLinks(Bench.peer, notice: .supervisionTimeout),
                    at: LinkInstant(microseconds: 45_000_000))
            }
            var options = HostOptions()
            options.giveUpMicroseconds = 20_000_000
            _ = try await harbor.run(BargeHost(central: harbor.radio.central, options: options))
            #expect(harbor.radio.now.microseconds > 50_000_000)
            #expect(try harbor.hasArrived())
        }
    }
}

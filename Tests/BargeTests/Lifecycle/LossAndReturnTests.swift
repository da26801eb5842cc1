import Bluetooth
import BluetoothSimulation
import Testing

@testable import Barge

@Suite("Whatever goes away comes back, and the transfer goes on where it was")
struct LossAndReturnTests {
    struct Passage: Hashable, Sendable, CustomStringConvertible {
        let voyage: Voyage
        let mishap: Mishap

        var description: String { "\(voyage), \(mishap)" }
    }

    static let passages = Voyage.all.flatMap { voyage in
        Mishap.allCases.map { Passage(voyage: voyage, mishap: $0) }
    }

    @Test(
        "A transfer that something happens to in any of its phases ends well by itself",
        arguments: passages)
    func once(passage: Passage) async throws {
        try await Stage.play { _ in
            let calm = try await CalmVoyage.of(passage.voyage)
            #expect(calm.moments.count >= 12)
            for moment in calm.moments {
                let harbor = try passage.voyage.harbor()
                harbor.radio.withWorld {
                    passage.mishap.schedule(at: moment.microseconds, in: $0)
                }
                try await Judge(
                    calm: calm, harbor: harbor,
                    story: "\(passage) at \(moment.microseconds) µs, \(moment.name)",
                    outageMicroseconds: passage.mishap.microseconds, begin: moment.microseconds
                ).watch()
            }
        }
    }
}

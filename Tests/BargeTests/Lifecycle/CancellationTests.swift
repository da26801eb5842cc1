import Bluetooth
import BluetoothSimulation
import Testing

@testable import Barge

@Suite("Canceling a transfer cancels what it waits for")
struct CancellationTests {
    @Test(
        "At any moment it ends as canceled, leaves nothing behind, and the same call finishes",
        arguments: 0..<10)
    func anywhere(batch: UInt64) async throws {
        try await Stage.play { stage in
            for number in 0..<20 {
                try await Self.cancel(seed: batch * 20 + UInt64(number), on: stage)
            }
        }
    }

    private static func cancel(seed: UInt64, on stage: isolated Stage) async throws {
        var dice = SplitMix64(seed: seed)
        let voyage = try #require(Voyage.all.randomElement(using: &dice))
        let mishap = try #require(Mishap.allCases.randomElement(using: &dice))
        let calm = try await CalmVoyage.of(voyage)
        let harbor = try voyage.harbor(seed: seed + 1)
        var latest = calm.microseconds
        // Every other one is called off in the middle of something else.
        if seed % 2 == 0 {
            let begin = UInt64.random(in: 1...calm.microseconds, using: &dice)
            harbor.radio.withWorld { mishap.schedule(at: begin, in: $0) }
            latest = begin + mishap.microseconds + 4_000_000
        }
        let moment = UInt64.random(in: 1...latest, using: &dice)
        let story: Comment = "seed \(seed): \(voyage) canceled at \(moment) µs"

        let transfer = Task {
            _ = stage
            return try await harbor.run()
        }
        try await harbor.radio.central.sleep(until: LinkInstant(microseconds: moment))
        transfer.cancel()
        switch await transfer.result {
        case .success: #expect(moment >= calm.microseconds, story)
        case .failure(let error):
            let kind = (error as? BargeError)?.kind
            // Where it had failed by itself before.
            #expect(kind == .canceled || kind == .deviceNotFound, story)
        }
        #expect(harbor.radio.heldByCentral == [], story)
        harbor.radio.withWorld { $0.run(until: LinkInstant(microseconds: 200_000_000)) }
        #expect(harbor.radio.leftovers == [], story)
        _ = try await harbor.run()
        #expect(try harbor.hasArrived(), story)
    }
}

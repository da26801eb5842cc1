import Bluetooth
import BluetoothSimulation
import Testing

@testable import Barge

@Suite("Two things go wrong in one transfer, one perhaps within the other")
struct TwoMishapsTests {
    /// Cases of so many seeds each: a case for each of two hundred would be slow to report.
    private static let seedsPerCase: UInt64 = 20

    @Test("It ends well by itself, whatever they are and whenever they come", arguments: 0..<10)
    func twice(batch: UInt64) async throws {
        try await Stage.play { _ in
            for number in 0..<Self.seedsPerCase {
                try await Self.sail(seed: batch * Self.seedsPerCase + number)
            }
        }
    }

    private static func sail(seed: UInt64) async throws {
        var dice = SplitMix64(seed: seed)
        let voyage = try #require(Voyage.all.randomElement(using: &dice))
        let first = try #require(Mishap.allCases.randomElement(using: &dice))
        let second = try #require(Mishap.allCases.randomElement(using: &dice))
        let calm = try await CalmVoyage.of(voyage)
        let begin = UInt64.random(in: 1...calm.microseconds, using: &dice)
        let then = begin + .random(in: 0...first.microseconds + 10_000_000, using: &dice)
        let harbor = try voyage.harbor(seed: seed + 1)
        harbor.radio.withWorld {
            first.schedule(at: begin, in: $0)
            second.schedule(at: then, in: $0)
        }
        try await Judge(
            calm: calm, harbor: harbor,
            story: "seed \(seed): \(voyage), \(first) at \(begin) µs, \(second) at \(then) µs",
            // The second may begin when the first is over.
            outageMicroseconds: first.microseconds + 10_000_000 + second.microseconds,
            begin: begin, mishaps: 2
        ).watch()
    }
}

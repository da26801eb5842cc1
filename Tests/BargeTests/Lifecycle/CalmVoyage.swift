import Bluetooth
import BluetoothSimulation
import Synchronization
import Testing

@testable import Barge

/// A voyage to which nothing happens: what the others are measured by.
struct CalmVoyage: Sendable {
    /// How long it takes.
    let microseconds: UInt64
    /// What went over the pipe in the cargo's direction.
    let sentBytes: UInt64
    /// When the device was linked for the first time.
    let firstLink: UInt64
    /// Moments in every phase of it, and evenly spread ones.
    let moments: [Course.Mark]

    private static let known = Mutex<[Voyage: CalmVoyage]>([:])

    /// All calm voyages of a kind are alike: one is made, and the others are that one.
    static func of(_ voyage: Voyage) async throws -> CalmVoyage {
        if let known = known.withLock({ $0[voyage] }) { return known }
        let made = try await CalmVoyage(voyage)
        known.withLock { $0[voyage] = made }
        return made
    }

    private init(_ voyage: Voyage) async throws {
        let harbor = try voyage.harbor()
        let course = Course()
        let summary = try await harbor.run(course.host(in: harbor))
        #expect(try harbor.hasArrived())
        #expect(harbor.radio.leftovers == [])
        let end = harbor.radio.now.microseconds
        microseconds = end
        sentBytes = summary.sentBytes
        let turns = course.turns
        firstLink = turns.first { $0.name == "securing" }?.microseconds ?? 0
        let spread = (1..<10).map {
            Course.Mark(microseconds: end * $0 / 10, name: "\($0) tenths of the way")
        }
        moments =
            turns.map { Course.Mark(microseconds: $0.microseconds + 1, name: $0.name) } + spread
    }
}

import Bluetooth
import BluetoothSimulation
import Testing

@testable import Barge

/// Watches a voyage on which something goes wrong.
struct Judge {
    let calm: CalmVoyage
    let harbor: Harbor
    /// What goes wrong, for a message.
    let story: String
    /// How long nothing gets through, in µs.
    let outageMicroseconds: UInt64
    /// When it begins.
    let begin: UInt64
    /// How often it does.
    var mishaps: UInt64 = 1

    /// Makes the voyage, and expects that it ends well, in time, and without anybody's doing.
    func watch() async throws {
        let start = harbor.radio.now.microseconds
        do throws(BargeError) {
            try await sail(sparing: calm.sentBytes + mishaps * Self.twiceBytes)
            let most = calm.microseconds + outageMicroseconds + mishaps * Self.returnMicroseconds
            #expect(harbor.radio.now.microseconds - start <= most, "\(story)")
        } catch {
            try await sailAgain(after: error)
        }
        #expect(try harbor.hasArrived(), "\(story)")
        let atOnce = harbor.radio.heldByCentral
        #expect(atOnce == [], "\(story)")
        harbor.radio.letDeviceNotice()
        #expect(harbor.radio.leftovers == [], "\(story)")
    }

    private func sail(sparing most: UInt64) async throws(BargeError) {
        var durable: UInt64 = 0
        var hasGoneBack = false
        let summary = try await harbor.run { event in
            switch event {
            case .started(let start): hasGoneBack = hasGoneBack || start.resumedFrom < durable
            case .durable(let offset): durable = max(durable, offset)
            case .scanning, .connected, .route, .met, .progress, .busy, .interrupted, .rebooting,
                .finished:
                break
            }
        }
        #expect(!hasGoneBack, "sent what was acknowledged: \(story)")
        #expect(summary.sentBytes <= most, "\(story)")
    }

    /// A device that was never seen is looked for once: whoever mistyped a name is told so soon.
    /// The same call again finishes.
    private func sailAgain(after error: BargeError) async throws {
        let isLawful =
            begin <= calm.firstLink
            && (error.kind == .deviceNotFound || error.kind == .bluetoothUnavailable)
        #expect(isLawful, "\(story): \(error)")
        harbor.radio.withWorld {
            $0.run(until: $0.now.advanced(microseconds: outageMicroseconds))
        }
        _ = try await harbor.run()
    }

    /// What one mishap may send again: a block, the window that was in flight, and what begins a
    /// session.
    static let twiceBytes = UInt64(Voyage.blockBytes) + UInt64(Voyage.windowBytes) + 600
    /// What one mishap may cost beyond its own time: the supervision timeout, the longest pause
    /// with its jitter, and a round (5 s directly, 10 s of scanning) that ends in vain just before.
    static let returnMicroseconds: UInt64 = 4_000_000 + 36_000_000 + 15_000_000
}

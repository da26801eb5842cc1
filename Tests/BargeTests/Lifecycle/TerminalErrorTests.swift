import BargePeripheral
import Bluetooth
import BluetoothSimulation
import Testing

@testable import Barge

@Suite("What no waiting mends stops a transfer at once")
struct TerminalErrorTests {
    enum Blow: String, CaseIterable {
        case bondLostByDevice, bondLostHere, serviceGone

        var kind: BargeError.Kind {
            switch self {
            case .bondLostByDevice, .bondLostHere: .security
            case .serviceGone: .refused
            }
        }

        func strike(_ world: SimulatedWorld, _ configuration: DeviceConfiguration) {
            switch self {
            case .bondLostByDevice: world.bonds.devices = []
            case .bondLostHere: world.bonds.central = []
            case .serviceGone:
                world.removeDevice(configuration.peer)
                world.addDevice(configuration, application: BarrenDevice())
            }
            world.severLinks(to: configuration.peer)
        }
    }

    @Test(
        "A bond lost on either side, or a service that is gone, ends it with the next link",
        arguments: Voyage.all, Blow.allCases)
    func blow(voyage: Voyage, blow: Blow) async throws {
        try await Stage.play { _ in
            var settings = Bench.Settings()
            settings.configuration.acceptsNewBond = false
            let configuration = settings.configuration
            let harbor = try voyage.harbor { $0.configuration.acceptsNewBond = false }
            let radio = harbor.radio
            var begin: UInt64?
            var startsAfter = 0
            do throws(BargeError) {
                _ = try await harbor.run { event in
                    if case .started = event, begin != nil { startsAfter += 1 }
                    guard case .durable(let offset) = event, offset > 8_000, begin == nil else {
                        return
                    }
                    begin = radio.now.microseconds
                    radio.withWorld { blow.strike($0, configuration) }
                }
                Issue.record("it ended well")
            } catch {
                #expect(error.kind == blow.kind, "\(error)")
                #expect(error.recovery == .giveUp, "\(error)")
            }
            #expect(startsAfter == 0)
            // A pause of 1 s with its jitter, and a link of 30 ms intervals to the step that tells.
            let passed = radio.now.microseconds - (begin ?? 0)
            #expect(passed < 1_200_000 + 1_000_000)
            #expect(radio.heldByCentral == [])
        }
    }
}

/// A device that was one of ours, and now has none of our service.
final class BarrenDevice: PeripheralApplication {
    func value(of characteristic: BluetoothUUID, for connection: ConnectionID)
        -> Result<[UInt8], ATTError>
    { .failure(.readNotPermitted) }

    func handle(_ event: PeripheralEvent, on stack: inout some PeripheralStack) {
        if event == .poweredOn { try? stack.advertise(Advertisement(peer: PeerID(""))) }
    }
}

import BargeProtocol
public import Bluetooth
import Synchronization

/// What a device and this computer have in common after they paired.
public struct PairedDevice: Hashable, Sendable {
    /// Who it is, in its own words; empty where it has none.
    public let serial: String
    /// What sort of device it is.
    public let model: String
    /// Where it was.
    public let peer: PeerID
    /// What the link reached; nil where the backend cannot know.
    public let level: SecurityLevel?
    /// The keys were there before, and were enough.
    public let wasPaired: Bool
}

extension BargeHost {
    /// Pairs with a device at the level that the options ask for, encrypted at least. Keys that are
    /// enough are used, and nobody is asked.
    ///
    /// Throws ``BargeError/Kind/security`` where the level is not reached, where somebody refused,
    /// and where one side has lost its keys: those of this computer go with ``forget(_:)``.
    public func pair(
        _ device: DeviceReference, events: @escaping (TransferEvent) -> Void = { _ in }
    ) async throws(BargeError) -> PairedDevice {
        var host = self
        host.options.security = max(options.security, .encrypted)
        let witness = pairing.map { PairingWitness(delegate: $0) }
        host.pairing = witness
        let bonded = try await bondedPeers(of: device)
        let log = TransferLog(begin: central.now, emit: events)
        return try await host.persist(device, log: log) { (session) throws(BargeError) in
            let peer = session.connection.peer
            return PairedDevice(
                serial: session.hello.serial.printable, model: session.hello.model.printable,
                peer: peer, level: session.connection.parameters.security,
                wasPaired: bonded.contains(peer) && witness?.wasAsked != true)
        }
    }

    /// The addresses of a device whose keys are here before anything is asked. A name is listened
    /// for; that nobody has it is for whoever connects to say.
    private func bondedPeers(of device: DeviceReference) async throws(BargeError) -> Set<PeerID> {
        var peers = device.peers
        if case .name(let name) = device {
            var filter = ScanFilter()
            filter.name = .exactly(name)
            let deadline = central.now.advanced(microseconds: options.stepMicroseconds)
            do throws(BluetoothError) {
                for try await heard in central.advertisements(filter, until: deadline) {
                    peers = [heard.peer]
                    break
                }
            } catch {
                throw BargeError(error, while: "scanning")
            }
        }
        return Set(peers.filter { central.isBonded(with: $0) == true })
    }
}

/// Notes whether somebody was asked: then a new pairing was made, whatever keys there were.
private final class PairingWitness: PairingDelegate {
    private let delegate: any PairingDelegate
    private let asked = Atomic(false)

    init(delegate: any PairingDelegate) { self.delegate = delegate }

    var capability: PairingCapability { delegate.capability }
    var wasAsked: Bool { asked.load(ordering: .relaxed) }

    func answer(_ question: PairingQuestion) async -> PairingAnswer {
        asked.store(true, ordering: .relaxed)
        return await delegate.answer(question)
    }
}

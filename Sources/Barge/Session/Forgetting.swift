public import Bluetooth

/// What this computer knew of a device, and does not any more.
public struct ForgottenDevice: Hashable, Sendable {
    /// The addresses whose keys were dropped.
    public let keys: [PeerID]
    /// What was remembered of it.
    public let known: [KnownDevice]

    /// What was forgotten, by its parts.
    public init(keys: [PeerID], known: [KnownDevice]) {
        self.keys = keys
        self.known = known
    }

    /// There was nothing to forget.
    public var isNothing: Bool { keys.isEmpty && known.isEmpty }
}

extension BargeHost {
    /// Drops this computer's keys of a device, and all that is remembered of it, its alias too. The
    /// device is not told: it keeps its own keys.
    ///
    /// Nothing is listened for: a ``DeviceReference/name(_:)`` means the device that is remembered
    /// under it, as ``KnownDevices/Listing/device(named:)`` finds it, by alias and serial too;
    /// where none is, or several are, nothing is forgotten.
    ///
    /// Throws ``BargeError/Kind/localFile`` where the list of devices cannot be changed.
    public func forget(_ device: DeviceReference) async throws(BargeError) -> ForgottenDevice {
        let known = try records(of: device)
        var keys: [PeerID] = []
        let peers = Set(device.peers + known.flatMap(\.peers))
        for peer in peers.sorted(by: { $0.rawValue < $1.rawValue }) {
            if central.isBonded(with: peer) == true { keys.append(peer) }
            do throws(BluetoothError) {
                try await central.forget(peer)
            } catch {
                throw BargeError(error, while: "forgetting the device")
            }
        }
        for record in known {
            try BargeError.local { () throws(LocalFileError) in
                _ = try knownDevices?.forget(serial: record.serial)
            }
        }
        return ForgottenDevice(keys: keys, known: known)
    }

    private func records(of device: DeviceReference) throws(BargeError) -> [KnownDevice] {
        guard let knownDevices else { return [] }
        let listing = try BargeError.local { () throws(LocalFileError) in try knownDevices.list() }
        switch device {
        case .peer(let peer): return listing.devices(at: peer)
        case .identity(let serial, _): return listing.device(serial: serial).map { [$0] } ?? []
        case .name(let name):
            guard case .device(let found) = listing.device(named: name) else { return [] }
            return [found]
        }
    }
}

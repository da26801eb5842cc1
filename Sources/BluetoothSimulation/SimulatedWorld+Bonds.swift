public import Bluetooth

extension SimulatedWorld {
    /// What each side keeps of pairings. Set it before the first link.
    public var bonds: SimulatedBonds {
        get {
            var devices = deviceBondsToCome
            for device in self.devices.elements { devices[device.configuration.peer] = device.bond }
            return SimulatedBonds(centralBonds: centralBonds, deviceBonds: devices)
        }
        set {
            centralBonds = newValue.centralBonds
            deviceBondsToCome = newValue.deviceBonds
            for device in devices.elements {
                device.bond = deviceBondsToCome.removeValue(forKey: device.configuration.peer)
            }
        }
    }

    /// Which side has the keys of the other, for one device. Cheap enough to ask after each event.
    public func bond(with peer: PeerID) -> (central: Bool, device: Bool) {
        let bond = keptBond(with: peer)
        return (bond.central != nil, bond.device != nil)
    }

    /// What each side keeps of the pairing with one device.
    public func keptBond(with peer: PeerID) -> (central: SimulatedBond?, device: SimulatedBond?) {
        let device = device(peer)
        return (
            centralBonds[device?.peer ?? peer],
            device == nil ? deviceBondsToCome[peer] : device?.bond
        )
    }

    /// Hands in what each side keeps of the pairing with one device, as ``keptBond(with:)`` told
    /// it. Before the first link.
    /// - Precondition: the device is there.
    public func keep(central: SimulatedBond?, device bond: SimulatedBond?, of peer: PeerID) {
        let device = existing(peer)
        centralBonds[device.peer] = central
        device.bond = bond
    }

    /// The device loses its keys, as a reset to how it left the factory would have it.
    /// - Precondition: the device is there.
    public func forgetCentral(_ peer: PeerID) { existing(peer).bond = nil }
}

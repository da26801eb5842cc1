import Bluetooth

extension KnownDevices {
    /// What is known at one moment, and who is meant by what.
    public struct Listing: Equatable, Sendable {
        /// The devices, the latest seen first.
        public internal(set) var devices: [KnownDevice] = []
        /// What was not read.
        public internal(set) var warnings: [Warning] = []
        var newerPaths: Set<String> = []
        var hasDamage = false
    }

    /// Who is meant by a text.
    public enum Answer: Equatable, Sendable {
        /// This one.
        case device(KnownDevice)
        /// Each of them has that name; the user has to say more.
        case ambiguous([KnownDevice])
        /// Nobody.
        case unknown(NearMisses)
    }
}

extension KnownDevices.Listing {
    /// The device of that identity.
    public func device(serial: String) -> KnownDevice? {
        devices.first { $0.serial == serial }
    }

    /// The device that its user calls so; case does not count.
    public func device(alias: String) -> KnownDevice? {
        devices.first { $0.alias?.matches(alias) == true }
    }

    /// The devices that were found at an address. More than one only if a file was copied by hand.
    public func devices(at peer: PeerID) -> [KnownDevice] {
        devices.filter { $0.peers.contains(peer) }
    }

    /// Who is meant by a text: an alias, else a serial, else the exact name of one device.
    public func device(named text: String) -> KnownDevices.Answer {
        if let device = device(alias: text) ?? device(serial: text) { return .device(device) }
        let found = devices.filter { $0.name == text }
        if found.count > 1 { return .ambiguous(found) }
        if let device = found.first { return .device(device) }
        return .unknown(NearMisses(of: text, among: names))
    }

    /// All that the devices may be called by: aliases, names and serials.
    public var names: [String] {
        devices.flatMap { [$0.alias?.text, $0.name, $0.serial].compactMap(\.self) }
    }

    /// Whose alias it is, or whose serial: an alias goes before a serial, and would hide it. Nil
    /// where that is nobody.
    /// - Parameter serial: the device that is to have the alias; what is its own is no hindrance.
    public func owner(of alias: DeviceAlias, besides serial: String) -> KnownDevice? {
        devices.first {
            $0.serial != serial
                && ($0.alias.map { alias.matches($0.text) } == true || alias.matches($0.serial))
        }
    }
}

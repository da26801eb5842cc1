/// What a scan lets through. Everything that is set must match; an unset filter lets all through.
public struct ScanFilter: Hashable, Sendable {
    /// A service that the advertiser announces.
    public var service: BluetoothUUID?
    /// The advertiser's name.
    public var name: NamePattern?
    /// The advertiser itself.
    public var peer: PeerID?
    /// The weakest signal in dBm that counts; what has no strength does not match.
    public var minimumRSSIDBm: Int?
    /// The company, and the bytes that its data begins with.
    public var manufacturer: ManufacturerData?
    /// A service, and the bytes that its data begins with.
    public var serviceData: ServiceData?

    /// The beginning of what an advertiser says for a service.
    public struct ServiceData: Hashable, Sendable {
        /// Whose data.
        public var service: BluetoothUUID
        /// How it begins; empty for any.
        public var prefix: [UInt8]

        /// Data of a service by its beginning.
        public init(service: BluetoothUUID, prefix: [UInt8] = []) {
            self.service = service
            self.prefix = prefix
        }
    }

    /// Lets everything through.
    public init() {}

    /// True where the advertisement matches all that is set.
    public func matches(_ advertisement: Advertisement) -> Bool {
        if let service, !advertisement.serviceUUIDs.contains(service) { return false }
        if let name, !name.matches(advertisement.localName ?? "") { return false }
        if let peer, advertisement.peer != peer { return false }
        if let minimumRSSIDBm, (advertisement.rssiDBm ?? Int.min) < minimumRSSIDBm { return false }
        return matchesManufacturer(advertisement) && matchesServiceData(advertisement)
    }

    private func matchesManufacturer(_ advertisement: Advertisement) -> Bool {
        guard let manufacturer else { return true }
        guard let found = advertisement.manufacturerData else { return false }
        return found.company == manufacturer.company
            && found.bytes.starts(with: manufacturer.bytes)
    }

    private func matchesServiceData(_ advertisement: Advertisement) -> Bool {
        guard let serviceData else { return true }
        guard let found = advertisement.serviceData[serviceData.service] else { return false }
        return found.starts(with: serviceData.prefix)
    }
}

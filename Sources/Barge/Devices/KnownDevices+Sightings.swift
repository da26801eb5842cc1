import Bluetooth

extension KnownDevices {
    /// Notes many sightings at once: what is known is read once for all of them. Sightings that say
    /// nothing new are not written; one whose record a newer program wrote is left out, with a
    /// warning.
    public func remember(_ sightings: [DeviceSighting]) throws(LocalFileError) -> [Warning] {
        let news = sightings.filter { !$0.serial.isEmpty && isNews($0) }
        guard !news.isEmpty else { return [] }
        return try locked { () throws(LocalFileError) in
            var listing = try read(mayKeepAside: true, including: news.map(\.serial))
            for sighting in news
            where !listing.newerPaths.contains(path(serial: sighting.serial)) {
                _ = try note(sighting, in: &listing)
            }
            return listing.warnings
        }
    }

    /// Writes what a sighting changes, and keeps the listing as it then is. The caller has the
    /// lock.
    func note(
        _ sighting: DeviceSighting, in listing: inout Listing
    ) throws(LocalFileError) -> KnownDevice {
        // The others first: cut short between two writes, the address is nobody's rather than two
        // devices'.
        for place in listing.devices.indices
        where listing.devices[place].serial != sighting.serial
            && listing.devices[place].peers.contains(sighting.peer)
        {
            listing.devices[place].lose(sighting.peer)
            try write(listing.devices[place])
        }
        let place = listing.devices.firstIndex { $0.serial == sighting.serial }
        var device =
            place.map { listing.devices[$0] }
            ?? KnownDevice(
                serial: sighting.serial, model: sighting.model, peers: [],
                lastSeenSeconds: sighting.seconds)
        device.model = sighting.model
        device.name = sighting.name ?? device.name
        device.lastSeenSeconds = sighting.seconds
        device.found(at: sighting.peer)
        try write(device)
        if let place { listing.devices[place] = device } else { listing.devices.append(device) }
        return device
    }

    /// Whether a sighting says more than its device's record, which is looked at alone: a bench
    /// that is flashed again and again costs no disk.
    private func isNews(_ sighting: DeviceSighting) -> Bool {
        guard let known = record(serial: sighting.serial) else { return true }
        return known.peers.first != sighting.peer || known.model != sighting.model
            || (sighting.name ?? known.name) != known.name
            || sighting.seconds >= known.lastSeenSeconds + Self.freshSeconds
    }

    /// A device seen within so many seconds counts as seen now.
    private static let freshSeconds: UInt64 = 60
}

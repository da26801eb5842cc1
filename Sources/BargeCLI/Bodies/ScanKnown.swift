import Barge

/// `barge scan --known`: what is remembered.
extension ScanCommand {
    static func show(_ listing: KnownDevices.Listing, _ console: Console) {
        guard !console.settings.json else {
            for device in listing.devices {
                console.json(
                    RecordSchema.known.json(device, device: device.peers.first?.rawValue))
            }
            return
        }
        if listing.devices.isEmpty { console.news("no device is remembered") }
        console.lines(TextLayout.table(listing.devices.map(row)))
    }

    private static func row(_ device: KnownDevice) -> [String] {
        [
            (device.alias?.text ?? "-").printable, device.serial.printable, device.model.printable,
            device.peers.map(\.rawValue.printable).joined(separator: " "),
            CalendarTime(secondsSince1970: device.lastSeenSeconds).text,
        ]
    }
}

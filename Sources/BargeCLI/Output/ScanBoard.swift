import Barge

/// What a scan has heard so far, as a value: each device once, with the latest that it said.
struct ScanBoard: Sendable {
    private var heard: [PeerID: Advertisement] = [:]
    /// What is remembered, by address.
    private let known: [PeerID: KnownDevice]

    init(_ devices: [KnownDevice] = []) {
        var known: [PeerID: KnownDevice] = [:]
        for device in devices {
            for peer in device.peers { known[peer] = known[peer] ?? device }
        }
        self.known = known
    }

    /// Takes in what was heard; true for a device that was not heard before. What an advertisement
    /// leaves out stays as it was said before.
    mutating func note(_ advertisement: Advertisement) -> Bool {
        var latest = advertisement
        let before = heard[advertisement.peer]
        if let before {
            latest.localName = latest.localName ?? before.localName
            if latest.serviceUUIDs.isEmpty { latest.serviceUUIDs = before.serviceUUIDs }
            latest.rssiDBm = latest.rssiDBm ?? before.rssiDBm
        }
        heard[advertisement.peer] = latest
        return before == nil
    }

    /// The strongest first; those of one strength by their address.
    var devices: [Advertisement] {
        heard.values.sorted { left, right in
            let (first, second) = (left.rssiDBm ?? .min, right.rssiDBm ?? .min)
            return first == second ? left.peer.rawValue < right.peer.rawValue : first > second
        }
    }

    /// What is remembered of a device by where it is.
    func known(at peer: PeerID) -> KnownDevice? { known[peer] }

    /// The table: address, name, strength, what it speaks, what its user calls it.
    var lines: [String] { TextLayout.table(devices.map(row)) }

    /// As much of the table as fits a terminal, and how much does not.
    func lines(columns: Int, rows: Int) -> [String] {
        let all = lines
        let isTooLong = all.count > rows
        let shown = all.prefix(isTooLong ? max(0, rows - 1) : rows)
        return shown.map { String($0.prefix(columns)) }
            + (isTooLong ? [String("and \(all.count - shown.count) more".prefix(columns))] : [])
    }

    private func row(_ device: Advertisement) -> [String] {
        [
            device.peer.rawValue.printable, (device.localName ?? "").printable,
            device.rssiDBm.map { "\($0) dBm" } ?? "", device.speaksBarge ? "barge" : "",
            (known[device.peer]?.alias?.text ?? "").printable,
        ]
    }

    /// What `--json` says of a device.
    func record(_ device: Advertisement) -> FoundDevice {
        FoundDevice(
            name: device.localName, rssi: device.rssiDBm, speaksBarge: device.speaksBarge,
            alias: known[device.peer]?.alias?.text, serial: known[device.peer]?.serial,
            serviceUUIDs: device.serviceUUIDs.map(\.description).sorted(),
            manufacturer: device.manufacturerData?.text,
            serviceData: device.serviceData
                .map { ($0.key.description, Hexadecimal.text($0.value).uppercased()) }
                .sorted { $0.0 < $1.0 }
                .map { JSONMember($0.0, .string($0.1)) })
    }
}

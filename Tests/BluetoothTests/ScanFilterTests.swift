import Bluetooth
import Testing

@Suite("What a scan lets through")
struct ScanFilterTests {
    private static let sensor: Advertisement = {
        var advertisement = Advertisement(peer: PeerID("a"))
        advertisement.localName = "sensor 7"
        advertisement.serviceUUIDs = [BluetoothUUID(0x180A)]
        advertisement.rssiDBm = -70
        advertisement.manufacturerData = ManufacturerData(company: 0x0059, bytes: [1, 0xFF, 3])
        advertisement.serviceData = [BluetoothUUID(0xFDCB): [9, 8]]
        return advertisement
    }()

    private static func filter(_ set: (inout ScanFilter) -> Void) -> ScanFilter {
        var filter = ScanFilter()
        set(&filter)
        return filter
    }

    @Test(
        "Whoever matches passes",
        arguments: [
            filter { _ in },
            filter { $0.service = BluetoothUUID(0x180A) },
            filter { $0.name = NamePattern("sensor*") },
            filter { $0.peer = PeerID("a") },
            filter { $0.minimumRSSIDBm = -70 },
            filter { $0.manufacturer = ManufacturerData(company: 0x0059) },
            filter { $0.manufacturer = ManufacturerData(company: 0x0059, bytes: [1, 0xFF]) },
            filter { $0.serviceData = .init(service: BluetoothUUID(0xFDCB)) },
            filter { $0.serviceData = .init(service: BluetoothUUID(0xFDCB), prefix: [9]) },
        ])
    func passes(filter: ScanFilter) {
        #expect(filter.matches(Self.sensor))
    }

    @Test(
        "One thing that does not match keeps it out",
        arguments: [
            filter { $0.service = BluetoothUUID(0x180F) },
            filter { $0.name = NamePattern("other") },
            filter { $0.name = .exactly("sensor *") },
            filter { $0.peer = PeerID("b") },
            filter { $0.minimumRSSIDBm = -69 },
            filter { $0.manufacturer = ManufacturerData(company: 0x004C) },
            filter { $0.manufacturer = ManufacturerData(company: 0x0059, bytes: [2]) },
            filter { $0.manufacturer = ManufacturerData(company: 0x0059, bytes: [1, 0xFF, 3, 4]) },
            filter { $0.serviceData = .init(service: BluetoothUUID(0xFDCC)) },
            filter { $0.serviceData = .init(service: BluetoothUUID(0xFDCB), prefix: [8]) },
        ])
    func keepsOut(filter: ScanFilter) {
        #expect(!filter.matches(Self.sensor))
        var all = filter
        all.service = all.service ?? BluetoothUUID(0x180A)
        #expect(!all.matches(Self.sensor))
    }

    @Test("What says nothing of a thing does not match a wish for it")
    func silence() {
        let quiet = Advertisement(peer: PeerID("q"))
        for wish in [
            Self.filter { $0.name = NamePattern("?*") },
            Self.filter { $0.minimumRSSIDBm = -127 },
            Self.filter { $0.manufacturer = ManufacturerData(company: 1) },
            Self.filter { $0.serviceData = .init(service: BluetoothUUID(1)) },
        ] {
            #expect(!wish.matches(quiet))
        }
    }
}
